import { COMPLETE_AT_ONCE } from '../../accounts/index.js';
import { newId } from '../../event-store/index.js';
import type { SearchFilters } from './search-filters.js';

type Filters = Pick<SearchFilters, 'partnerUid' | 'type' | 'state' | 'amount' | 'orderId' | 'from' | 'to'>;

/** The part of a search that a page examines, newest first. Identifiers are in order of time. */
export interface Window extends Filters {
  /** How many lists the search examines, over all partitions. */
  readonly lists: number;
  /** The end of the page before, exclusive: an identifier, or a position for an account's own list. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** A row of the result: a found transaction, or (`edge`) the last examined row. */
export interface Found {
  readonly id: string;
  readonly position: string;
  readonly edge: boolean;
}

/**
 * Rows examined for one page if the index serves the order but not every filter. More are left to the next page, so
 * that no search reads much more than this.
 */
const MAX_EXAMINED = 4_000;

/**
 * An identifier is generated before its event gets its time, by less than this: a charge has 5 s until its turn, 9 s at
 * the rail and 10 s in its lane, and clocks of processes that are ready differ by 2 s. While the log's time is ahead,
 * because a clock was far ahead, rows near the bounds are missed.
 */
const MARGIN_MS = 30_000;

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
export const OLDEST = '00000000-0000-0000-0000-000000000000';

/**
 * How many rows to examine in each list of a search.
 * @param others filters that the lists' index does not serve: without any, every examined row matches
 */
export function rowsToExamine(lists: number, limit: number, others: readonly unknown[]): number {
  return others.every((one) => one === undefined) ? limit : Math.max(Math.ceil(MAX_EXAMINED / lists), limit);
}

/** Whether transfers made at once, which have no row in the search, may match. */
export function hasTransfersAtOnce({ type, state }: Pick<SearchFilters, 'type' | 'state'>): boolean {
  return (
    (type ?? COMPLETE_AT_ONCE.type) === COMPLETE_AT_ONCE.type &&
    (state ?? COMPLETE_AT_ONCE.state) === COMPLETE_AT_ONCE.state
  );
}

/** Bounds of identifiers for times, with a margin; rows are then filtered by the exact times. */
export function idsOf({ from, to, before }: Window): { low: string; high: string } {
  const idAt = (time: number) => `${newId(0, Math.max(0, time)).slice(0, 13)}-0000-0000-000000000000`;
  const high = to && idAt(to.getTime() + MARGIN_MS);
  return {
    low: from ? idAt(from.getTime() - MARGIN_MS) : OLDEST,
    high: [before ?? NEWEST, high ?? NEWEST].sort()[0]!,
  };
}

/**
 * An edge that names no transaction, for a viewer whom the row there may not be shown to: the end of its millisecond,
 * whose rows are left to the next page. One page of rows in one millisecond would be left for ever: that edge stays.
 */
export function unnamed<Row extends Found>(row: Row, before: string | undefined): Row {
  if (!row.edge) return row;
  const id = `${row.id.slice(0, 13)}${NEWEST.slice(13)}`;
  return id < (before ?? NEWEST) ? { ...row, id } : row;
}

/** As dates, which the driver formats: PostgreSQL does not parse ISO texts of years before 1 or after 9999. */
export function timesOf({ from, to }: Window): [Date | string, Date | string] {
  return [from ?? '-infinity', to ?? 'infinity'];
}
