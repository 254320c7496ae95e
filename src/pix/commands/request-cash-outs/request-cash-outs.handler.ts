import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Append, DuplicateRow, Ledger, type Outcome, type Preview, scoped } from '../../../event-store/index.js';
import { AppError, Overloaded } from '../../../platform/errors/index.js';
import { CodePayments, type ReadCode } from '../../code-reading/code-payments.js';
import type { CallerTerms } from '../caller-terms.js';
import { CashOutAppends } from '../cash-out-append.js';
import type { AcceptedCashOut } from '../request-cash-out/cash-out.answer.js';
import type { Payment } from '../requested-cash-out.js';
import { type KeyedCashOut, RequestCashOuts } from './request-cash-outs.command.js';

/** Codes of one request that are read at once, and how long after its begin none is begun: most ask another bank. */
const CODES_AT_ONCE = 8;
const CODES_MS = 10_000;

/** An append that can be made again with another identifier, or the result without any. */
type Attempt = (() => Append) | Outcome | AppError;

@CommandHandler(RequestCashOuts)
export class RequestCashOutsHandler implements ICommandHandler<RequestCashOuts> {
  constructor(
    private readonly ledger: Ledger,
    private readonly appends: CashOutAppends,
    private readonly codes: CodePayments,
  ) {}

  execute(command: RequestCashOuts): Promise<readonly (AcceptedCashOut | AppError)[]> {
    return this.codes.during(command.preview !== undefined, (read) => this.#execute(command, read));
  }

  async #execute(command: RequestCashOuts, read: ReadCode): Promise<readonly (AcceptedCashOut | AppError)[]> {
    const { caller, cashOuts, requestId, idempotency, preview, lines } = command;
    const terms = await this.appends.terms(caller, {
      ...(lines && { lines }),
      isLater: cashOuts.some(({ cashOut }) => cashOut.later),
    });
    const requestIdempotency = scoped(caller.accountUid, idempotency);
    if (cashOuts.some(isOfCode)) await this.ledger.assertSameRequest(caller.partition, requestIdempotency);
    const payments = await this.#payments(terms, cashOuts, preview, read);
    const attempts = payments.map((payment, i): Attempt => {
      if (payment instanceof AppError || 'events' in payment) return payment;
      const { cashOut, idempotency: own } = cashOuts[i]!;
      const askedBy = { requestId, idempotency: scoped(caller.accountUid, own) };
      const make = this.appends.makerOf(terms, cashOut, payment, askedBy);
      return () => ({ ...make(), requestIdempotency });
    });
    // A file's lines wait apart from other requests of its partner, which they could fill the share of.
    const results = await this.#run(attempts, lines ? lines.file : caller.partnerUid, preview);
    return results.map((result) => (result instanceof AppError ? result : this.appends.accepted(result, terms)));
  }

  async #run(
    attempts: readonly Attempt[],
    owner: string,
    preview: Preview | undefined,
  ): Promise<readonly (Outcome | AppError)[]> {
    const makers = attempts.filter((one) => typeof one === 'function');
    const made = makers.map((make) => make());
    const outcomes = made.length > 0 ? await this.ledger.executeAll(made, { owner, atomic: false }, preview) : [];
    let next = 0;
    const results: (Outcome | AppError)[] = [];
    for (const one of attempts) {
      if (typeof one !== 'function') {
        results.push(one);
        continue;
      }
      const outcome = outcomes[next++]!;
      // Its identifier was another payment's: see `withFresh`.
      const isTaken = outcome instanceof DuplicateRow;
      results.push(isTaken ? await this.ledger.execute(one(), preview).catch(asRefusal) : outcome);
    }
    return results;
  }

  /** Everything is as requested, except where a code says it. */
  async #payments(
    { caller }: CallerTerms,
    cashOuts: readonly KeyedCashOut[],
    preview: Preview | undefined,
    readCode: ReadCode,
  ): Promise<(Payment | Outcome | AppError)[]> {
    const payments: (Payment | Outcome | AppError)[] = [];
    const codes: (() => Promise<void>)[] = [];
    cashOuts.forEach(({ cashOut: { payment }, idempotency }, i) => {
      if (payment.method !== 'QrCode') return void (payments[i] = payment);
      const key = scoped(caller.accountUid, idempotency);
      codes.push(async () => {
        const read = readCode(caller.partnerUid, payment, key, (work) =>
          this.ledger.unlessDone(caller.partition, key, work, preview),
        );
        payments[i] = await read.catch(asRefusal);
      });
    });
    const until = performance.now() + CODES_MS;
    const read = async (): Promise<void> => {
      for (let code = codes.shift(); code && performance.now() < until; code = codes.shift()) await code();
    };
    await Promise.all(Array.from({ length: CODES_AT_ONCE }, read));
    const late = new Overloaded('The codes of this batch took too long to read. Nothing was done.');
    return Array.from(cashOuts, (_, i) => payments[i] ?? late);
  }
}

/** It may be replayed or refused before the ledger is asked for it. */
const isOfCode = ({ cashOut }: KeyedCashOut) => cashOut.payment.method === 'QrCode';

function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
