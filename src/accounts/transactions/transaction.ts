import type { Contradiction, EventType, RecordedEvent, Stored } from '../../event-store/index.js';

export const TRANSACTION_TYPES = ['Transfer', 'CashIn', 'CashOut', 'Refund'] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];
/**
 * Contract 3, and `Scheduled` before it. A transfer is `Completed` from the start, unless it was scheduled: then it may
 * end as `Error` or `Cancelled` too.
 */
export const TRANSACTION_STATES = ['Scheduled', 'Registered', 'Completed', 'Error', 'Reversed', 'Cancelled'] as const;
export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** A transaction as partners read it. Amounts are centavos. */
export interface Transaction {
  readonly id: string;
  readonly type: TransactionType;
  readonly state: TransactionState;
  readonly accountUid: string;
  /** The other account of a transfer. */
  readonly counterpartyUid: string | null;
  readonly amount: bigint;
  readonly charges: bigint;
  readonly orderId: string | null;
  readonly endToEndId: string | null;
  readonly refundOf: string | null;
  readonly errorReason: string | null;
  /** ISO date-time at which each state was reached. */
  readonly stateDates: Readonly<Partial<Record<TransactionState, string>>>;
  /** Details for its module only; personal fields are sealed. */
  readonly details: Readonly<Record<string, unknown>> | null;
  /** Position of its first event: the order of lists. */
  readonly position: bigint;
  /** Version of its stream. */
  readonly version: number;
  /** The data subject who paid it: of a completed cash-in only. */
  readonly payer: string | null;
  /** Of a transfer made at once, its entries: the account's number and balance after it, and the counterparty's. */
  readonly entry: number | null;
  readonly balance: bigint | null;
  readonly counterpartyEntry: number | null;
  readonly counterpartyBalance: bigint | null;
}

/** A transaction whose entries have rows of their own. */
export const WITHOUT_ENTRIES = { entry: null, balance: null, counterpartyEntry: null, counterpartyBalance: null };

/** When it was made: a transfer is completed from the start, all else registered, or scheduled, first. */
export function registeredAt({ stateDates }: Pick<Transaction, 'stateDates'>): string {
  return stateDates.Scheduled ?? stateDates.Registered ?? stateDates.Completed!;
}

interface Description {
  readonly ids: (event: RecordedEvent) => readonly string[];
  readonly evolve: (transaction: Transaction | undefined, event: RecordedEvent, id: string) => Transaction;
  readonly assertFits: (transaction: Transaction | undefined, event: RecordedEvent, id: string) => void;
}

const descriptions = new Map<string, Description>();

/**
 * Registers how an event type creates or changes transactions. Modules call it where they declare their events, so
 * that replay knows it too.
 * @param ids the transactions that the event is about
 * @param assertFits throws where the event contradicts what was before
 */
export function describeTransaction<T extends string, D>(
  type: EventType<T, D>,
  ids: (data: Stored<D>) => readonly string[],
  evolve: (transaction: Transaction | undefined, event: RecordedEvent<T, Stored<D>>, id: string) => Transaction,
  assertFits: (transaction: Transaction | undefined, data: Stored<D>, id: string) => void = () => undefined,
): void {
  if (descriptions.has(type.type)) throw new TypeError(`${type.type} is described twice`);
  descriptions.set(type.type, {
    ids: (event) => ids(event.data as Stored<D>),
    evolve: (transaction, event, id) => evolve(transaction, event as RecordedEvent<T, Stored<D>>, id),
    assertFits: (transaction, event, id) => assertFits(transaction, event.data as Stored<D>, id),
  });
}

export function transactionsOf(event: RecordedEvent): readonly string[] {
  return descriptions.get(event.type)?.ids(event) ?? [];
}

/** @throws where the event contradicts those before it */
export function evolveTransaction(transaction: Transaction | undefined, event: RecordedEvent, id: string): Transaction {
  const { assertFits, evolve } = descriptionOf(event);
  assertFits(transaction, event, id);
  return evolve(transaction, event, id);
}

/** The same, where not all that was before is known. */
export function evolvePartly(transaction: Transaction | undefined, event: RecordedEvent, id: string): Transaction {
  return descriptionOf(event).evolve(transaction, event, id);
}

function descriptionOf({ type }: RecordedEvent): Description {
  const description = descriptions.get(type);
  if (!description) throw new TypeError(`${type} does not change a transaction`);
  return description;
}

type Compare = (transaction: Transaction, event: RecordedEvent, id: string) => Contradiction | undefined;

const comparisons = new Map<string, Compare>();

/**
 * Registers what an event must have in common with the transaction that it moves on. The transaction is as the events
 * before made it; lanes decide on its row, which somebody may have changed and put back. Only `verify` asks.
 */
export function compareTransaction<T extends string, D>(
  { type }: EventType<T, D>,
  compare: (transaction: Transaction, event: RecordedEvent<T, Stored<D>>, id: string) => Contradiction | undefined,
): void {
  if (comparisons.has(type)) throw new TypeError(`${type} is compared twice`);
  comparisons.set(type, compare as Compare);
}

export function transactionContradiction(
  transaction: Transaction | undefined,
  event: RecordedEvent,
  id: string,
): Contradiction | undefined {
  return transaction && comparisons.get(event.type)?.(transaction, event, id);
}
