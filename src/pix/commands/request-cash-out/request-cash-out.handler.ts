import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, scoped } from '../../../event-store/index.js';
import { CodePayments, type ReadCode } from '../../code-reading/code-payments.js';
import { withFresh } from '../../identifiers.js';
import { CashOutAppends } from '../cash-out-append.js';
import type { AcceptedCashOut } from './cash-out.answer.js';
import { RequestCashOut } from './request-cash-out.command.js';

@CommandHandler(RequestCashOut)
export class RequestCashOutHandler implements ICommandHandler<RequestCashOut> {
  constructor(
    private readonly ledger: Ledger,
    private readonly appends: CashOutAppends,
    private readonly codes: CodePayments,
  ) {}

  execute(command: RequestCashOut): Promise<AcceptedCashOut> {
    return this.codes.during(command.preview !== undefined, (read) => this.#execute(command, read));
  }

  async #execute(
    { caller, cashOut, requestId, idempotency, preview }: RequestCashOut,
    read: ReadCode,
  ): Promise<AcceptedCashOut> {
    const terms = await this.appends.terms(caller, { isLater: cashOut.later !== undefined });
    const key = scoped(caller.accountUid, idempotency);
    const { payment } = cashOut;
    const agreed =
      payment.method === 'QrCode'
        ? await read(caller.partnerUid, payment, key, (work) =>
            this.ledger.unlessDone(caller.partition, key, work, preview),
          )
        : payment;
    if ('events' in agreed) return this.appends.accepted(agreed, terms);
    const make = this.appends.makerOf(terms, cashOut, agreed, { requestId, idempotency: key });
    const outcome = await withFresh(make, (append) => this.ledger.execute(append, preview));
    return this.appends.accepted(outcome, terms);
  }
}
