import { newId } from '../../event-store/index.js';
import type { SearchFilters } from './search-filters.js';

type Filters = Pick<SearchFilters, 'partnerUid' | 'type' | 'state' | 'amount' | 'orderId' | 'from' | 'to'>;

/** What is left to be looked at in a search, newest first. Identifiers are in order of time. */
export interface Window extends Filters {
  /** In how many lists, of all partitions together, the search looks. */
  readonly lists: number;
  /** Where the page before ended, exclusive: an identifier; of an account's own list, a position. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** A row of the answer: a transaction that was found, or (`edge`) how far was looked. */
export interface Found {
  readonly id: string;
  readonly position: string;
  readonly edge: boolean;
}

/**
 * Rows looked at for one page where an index gives the order but not every filter: more are left to the next page, so
 * that no search, whatever it asks for, reads much more than this.
 */
const LOOK = 4_000;

/** An identifier is minted a moment before its event has its time: never as much as this. */
const MARGIN_MS = 15_000;

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
export const OLDEST = '00000000-0000-0000-0000-000000000000';

/**
 * How many rows to look at in each of the lists that a search begins with.
 * @param others filters that the lists' index does not answer: where there are none, every row that is looked at is found
 */
export function lookOf(lists: number, limit: number, others: readonly unknown[]): number {
  return others.every((one) => one === undefined) ? limit : Math.max(Math.ceil(LOOK / lists), limit);
}

/** Times as bounds of identifiers, wide enough; rows are then held to the exact times. */
export function idsOf({ from, to, before }: Window): { low: string; high: string } {
  const idAt = (time: number) => `${newId(0, Math.max(0, time)).slice(0, 13)}-0000-0000-000000000000`;
  const high = to && idAt(to.getTime() + MARGIN_MS);
  return {
    low: from ? idAt(from.getTime() - MARGIN_MS) : OLDEST,
    high: [before ?? NEWEST, high ?? NEWEST].sort()[0]!,
  };
}

/** As dates, which the driver writes for PostgreSQL: an ISO text of a year before 1 or after 9999 is not one of its. */
export function timesOf({ from, to }: Window): [Date | string, Date | string] {
  return [from ?? '-infinity', to ?? 'infinity'];
}
