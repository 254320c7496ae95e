import type { RecordedEvent } from '../../event-store/index.js';

/** Postings: how events move money. The postings of one event sum to zero across a partner's accounts. */

/** `held` is on its way out by a payment; `blocked` is kept by a hold (docs/holds.md). */
export type Bucket = 'available' | 'held' | 'blocked';

/** One posting on one account, as stored in an event. Amounts are centavos in decimal text. */
export interface Posting {
  readonly account: string;
  /** Set for the partner's system accounts, which are created by their first posting. */
  readonly system?: SystemAccount;
  readonly bucket: Bucket;
  /** Signed centavos. */
  readonly amount: string;
  /** The account's own gapless number of this posting, from 1. */
  readonly entry: number;
  /** The bucket's balance after it, centavos. */
  readonly balance: string;
}

/**
 * The operator's side of a partner's postings: Pix in and out, funding, charges, and what holds were executed for.
 * System accounts may be negative; partner accounts may not.
 */
export type SystemAccount = 'pix-settlement' | 'operator-funding' | 'fees' | 'executed-holds';

/** The account state needed for posting. */
export interface Balances {
  readonly uid: string;
  readonly available: bigint;
  readonly held: bigint;
  readonly blocked: bigint;
  /** Number of the account's newest entry; 0 for none. */
  readonly entries: number;
}

/** One movement to be posted: signed centavos on a bucket of an account. */
export interface Movement {
  readonly account: Balances & { readonly system?: SystemAccount | null };
  readonly bucket: Bucket;
  readonly amount: bigint;
}

/**
 * Numbers the movements of one event and computes the balance after each. Several movements on one account are applied
 * in the given order.
 * @throws RangeError when they do not sum to zero: a defect of the caller
 */
export function post(movements: readonly Movement[]): Posting[] {
  const moved = new Map<string, Record<Bucket, bigint> & { entries: number }>();
  let sum = 0n;
  const postings = movements.map(({ account, bucket, amount }) => {
    const { available, held, blocked, entries } = account;
    const now = moved.get(account.uid) ?? { available, held, blocked, entries };
    now[bucket] += amount;
    now.entries += 1;
    moved.set(account.uid, now);
    sum += amount;
    return {
      account: account.uid,
      ...(account.system && { system: account.system }),
      bucket,
      amount: amount.toString(),
      entry: now.entries,
      balance: now[bucket].toString(),
    };
  });
  if (sum !== 0n) throw new RangeError(`postings sum to ${sum} centavos instead of zero`);
  return postings;
}

/** Events that move money have postings and the owners of the accounts. */
export interface MovesMoney {
  readonly partnerUid: string;
  readonly postings: readonly Posting[];
}

export function movesMoney(event: RecordedEvent): event is RecordedEvent<string, MovesMoney> {
  return Array.isArray((event.data as Partial<MovesMoney>).postings);
}
