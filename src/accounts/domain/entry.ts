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

const descriptions = new Map<string, (data: unknown) => EntryDescription>();

/** Registers how a statement shows the postings of an event type. Modules call it where they declare their events. */
export function describeEntries<T extends string, D>(
  type: EventType<T, D>,
  describe: (data: Stored<D>) => EntryDescription,
) {
  if (descriptions.has(type.type)) throw new TypeError(`entries of ${type.type} are described twice`);
  descriptions.set(type.type, describe as (data: unknown) => EntryDescription);
}

/** The entries of an event: one for each posting on a partner's own account. */
export function entriesOf(event: RecordedEvent): Entry[] {
  if (!movesMoney(event)) return [];
  const { kind, transactionId, description } = descriptions.get(event.type)?.(event.data) ?? {
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
