import {
  type Account,
  accountProjection,
  type Hold,
  holdProjection,
  rowsOfPayee,
  systemAccount,
  type Transaction,
  transactionProjection,
} from '../../accounts/index.js';
import type { Append, IdempotencyKey, NewEvent, SubjectRef } from '../../event-store/index.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import type { LocatedTransaction } from './pix-transactions.js';

/** The state for decisions on an existing transaction. */
export interface FollowUpState {
  readonly transaction: Transaction;
  readonly account: Account;
  readonly settlement: ReturnType<typeof systemAccount>;
  readonly fees: ReturnType<typeof systemAccount>;
  /** Those that it asked for, by id. */
  readonly holds: ReadonlyMap<string, Hold>;
}

/** What is done to an existing transaction. */
export interface FollowUp {
  /** `rail:<name>`, `timer`, `access-key:<id>`. */
  readonly actor: string;
  readonly requestId?: string;
  readonly subjects?: readonly SubjectRef[];
  /** Transactions that the events will make. */
  readonly creates?: readonly string[];
  /** Holds that are read, or that the events will place. */
  readonly holds?: { readonly reads?: readonly string[]; readonly creates?: readonly string[] };
  readonly idempotency?: IdempotencyKey;
  readonly decide: (state: FollowUpState, at: Date) => readonly NewEvent[];
}

/** An append to an existing transaction: it reads it, its account and the system accounts that its money moves on. */
export function appendTo(located: LocatedTransaction, followUp: FollowUp): Append {
  const { partition, accountUid, settlementUid, feesUid, transaction } = located;
  const { id, refundOf } = transaction;
  const { countedBy: counted } = detailsOf<CashOutDetails>(transaction);
  return {
    partition,
    reads: {
      accounts: [accountUid, settlementUid, ...(transaction.charges > 0n ? [feesUid] : [])],
      transactions: refundOf === null ? [id] : [id, refundOf],
      holds: followUp.holds?.reads ?? [],
      ...(counted && rowsOfPayee(accountUid, counted)),
    },
    creates: { transactions: followUp.creates ?? [], holds: followUp.holds?.creates ?? [] },
    subjects: followUp.subjects,
    decide: (rows, at) => {
      const accounts = rows.of(accountProjection);
      const state: FollowUpState = {
        transaction: rows.of(transactionProjection).get(id)!,
        account: accounts.get(accountUid)!,
        settlement: systemAccount(accounts, settlementUid, 'pix-settlement'),
        fees: systemAccount(accounts, feesUid, 'fees'),
        holds: rows.of(holdProjection),
      };
      return followUp.decide(state, at);
    },
    metadata: { actor: followUp.actor, requestId: followUp.requestId, correlation: id },
    idempotency: followUp.idempotency,
  };
}
