import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import {
  type EventOf,
  type IdempotencyKey,
  Ledger,
  newId,
  type Outcome,
  personal,
  scoped,
} from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import type { RefundRegistered } from '../../domain/events/refund.events.js';
import { registerRefund } from '../../domain/refund.decider.js';
import { type NewReturn, PixIdentifiers, withFresh } from '../../identifiers.js';
import { PixTransactions } from '../../transactions/pix-transactions.js';
import { appendTo } from '../../transactions/append-to.js';
import { ownCashIn } from '../own-cash-in.js';
import { acceptedRefund } from './accepted-refund.js';
import { type AcceptedRefund, RefundCashIn } from './refund-cash-in.command.js';

@CommandHandler(RefundCashIn)
export class RefundCashInHandler implements ICommandHandler<RefundCashIn> {
  constructor(
    private readonly ledger: Ledger,
    private readonly transactions: PixTransactions,
    private readonly registry: Registry,
    private readonly identifiers: PixIdentifiers,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute(command: RefundCashIn): Promise<AcceptedRefund> {
    const { partition, accountUid } = command.caller;
    const { holder } = await this.registry.facts(accountUid);
    const key = scoped(accountUid, command.idempotency);
    // Not only in the append: a used key is answered even where the cash-in cannot be found any more.
    const work = () => this.#register(command, key);
    const { events, replayed } = await this.ledger.unlessDone(partition, key, work, command.preview);
    return acceptedRefund(events[0] as EventOf<typeof RefundRegistered>, replayed, holder, this.config);
  }

  async #register(command: RefundCashIn, idempotency?: IdempotencyKey): Promise<Outcome> {
    const { caller, amount, reason, requestId } = command;
    const { partition, accountUid } = caller;
    const located = await ownCashIn(this.transactions, caller, command.cashInId);
    const { owner } = await this.registry.facts(accountUid);
    const request = {
      id: newId(partition),
      amount,
      ...(reason && { reason: personal(owner, reason) }),
    };
    const register = (made: NewReturn) =>
      this.ledger.execute(
        appendTo(located, {
          actor: keyActor(caller),
          requestId,
          subjects: reason ? [owner] : [],
          creates: [request.id],
          idempotency,
          decide: ({ transaction, account }, at) => registerRefund(transaction, account, { ...request, ...made }, at),
        }),
        command.preview,
      );
    return withFresh(() => this.identifiers.returnAsked(located, { amount, idempotency }), register);
  }
}
