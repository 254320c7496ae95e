import type { EventType, RecordedEvent, Sealed, Stored } from '../../event-store/index.js';
import { type Bucket, movesMoney } from './posting.js';

/** One line of an account's history. Amounts are centavos. */
export interface Entry {
  readonly accountUid: string;
  /** The account's own gapless number, over all buckets. */
  readonly number: number;
  readonly position: bigint;
  readonly bucket: Bucket;
  readonly amount: bigint;
  readonly balance: bigint;
  readonly kind: string;
  readonly transactionId: string | null;
  readonly description: Sealed<string> | null;
  readonly time: Date;
}

/** The statement's description of an event's postings. */
export interface EntryDescription {
  readonly kind: string;
  readonly transactionId: string | null;
  readonly description?: Sealed<string> | null;
}

interface Described {
  readonly describe: (data: unknown) => EntryDescription;
  readonly areWithTransaction: (event: RecordedEvent) => boolean;
}

const descriptions = new Map<string, Described>();

/**
 * Registers how a statement shows the postings of an event type. Modules call it where they declare their events.
 * @param areWithTransaction whether an event's entries are columns of its transaction's row; absent: never
 */
export function describeEntries<T extends string, D>(
  type: EventType<T, D>,
  describe: (data: Stored<D>) => EntryDescription,
  areWithTransaction: (event: RecordedEvent<T, Stored<D>>) => boolean = () => false,
) {
  if (descriptions.has(type.type)) throw new TypeError(`entries of ${type.type} are described twice`);
  descriptions.set(type.type, { describe, areWithTransaction } as Described);
}

/** Those entries of an event that have rows of their own. */
export function rowsOfEntries(event: RecordedEvent): Entry[] {
  return descriptions.get(event.type)?.areWithTransaction(event) ? [] : entriesOf(event);
}

/** The entries of an event: one for each posting on a partner's own account. */
export function entriesOf(event: RecordedEvent): Entry[] {
  if (!movesMoney(event)) return [];
  const { kind, transactionId, description } = descriptions.get(event.type)?.describe(event.data) ?? {
    kind: event.type,
    transactionId: null,
  };
  return event.data.postings.map((posting) => ({
    accountUid: posting.account,
    number: posting.entry,
    position: event.position,
    bucket: posting.bucket,
    amount: BigInt(posting.amount),
    balance: BigInt(posting.balance),
    kind,
    transactionId,
    description: description ?? null,
    time: event.time,
  }));
}
