import { Injectable } from '@nestjs/common';
import {
  type Account,
  accountProjection,
  systemAccount,
  type Transaction,
  transactionProjection,
} from '../../accounts/index.js';
import {
  type Append,
  type IdempotencyKey,
  Ledger,
  type NewEvent,
  type Outcome,
  type SubjectRef,
} from '../../event-store/index.js';
import type { LocatedTransaction } from './rail-transactions.js';
import { TransactionTraces } from './transaction-traces.js';

/** What the deciders of a transaction's later life see. */
export interface LaterState {
  readonly transaction: Transaction;
  readonly account: Account;
  readonly settlement: ReturnType<typeof systemAccount>;
  readonly fees: ReturnType<typeof systemAccount>;
}

export interface LaterCommand {
  /** `rail:<name>`, `timer`, `access-key:<id>`. */
  readonly actor: string;
  readonly requestId?: string;
  readonly subjects?: readonly SubjectRef[];
  /** Transactions that the events will make. */
  readonly creates?: readonly string[];
  readonly idempotency?: IdempotencyKey;
  readonly decide: (state: LaterState, at: Date) => readonly NewEvent[];
}

/** Runs commands on a transaction that exists: loads it, its account and the system accounts that its money moves on. */
@Injectable()
export class RailCommands {
  constructor(
    private readonly ledger: Ledger,
    private readonly traces: TransactionTraces,
  ) {}

  on(located: LocatedTransaction, command: LaterCommand): Promise<Outcome> {
    const { partition, accountUid, settlementUid, feesUid, transaction } = located;
    const { id, refundOf } = transaction;
    const append: Append = {
      partition,
      reads: {
        accounts: [accountUid, settlementUid, ...(transaction.charges > 0n ? [feesUid] : [])],
        transactions: refundOf === null ? [id] : [id, refundOf],
      },
      creates: { transactions: command.creates ?? [] },
      subjects: command.subjects,
      decide: (rows, at) => {
        const accounts = rows.of(accountProjection);
        const state: LaterState = {
          transaction: rows.of(transactionProjection).get(id)!,
          account: accounts.get(accountUid)!,
          settlement: systemAccount(accounts, settlementUid, 'pix-settlement'),
          fees: systemAccount(accounts, feesUid, 'fees'),
        };
        return command.decide(state, at);
      },
      metadata: { actor: command.actor, requestId: command.requestId, correlation: id },
      idempotency: command.idempotency,
    };
    return this.traces.news(partition, id, () => this.ledger.execute(append));
  }
}
