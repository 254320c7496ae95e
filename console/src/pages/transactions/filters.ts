import { startOfDay } from '../../format/date.js';
import { parseMoney } from '../../format/money.js';
import { plainTaxNumber } from '../../format/tax-number.js';

export const TYPES = ['Transfer', 'CashIn', 'CashOut', 'Refund'] as const;
export const STATES = ['Scheduled', 'Registered', 'Completed', 'Error', 'Reversed', 'Cancelled'] as const;

const NAMES = [
  'id',
  'orderId',
  'endToEndId',
  'txid',
  'taxNumber',
  'amount',
  'type',
  'state',
  'partner',
  'account',
  'from',
  'to',
] as const;

/** Filters as in the URL: days as days, amounts as typed. */
export type Filters = Partial<Record<(typeof NAMES)[number], string>>;

/** Filters from a URL; empty and unknown ones are left out. */
export function readFilters(search: URLSearchParams): Filters {
  const given = NAMES.map((name) => [name, search.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/**
 * Filters for the route: days become moments in Brasília's time (the last day included), amounts and tax numbers lose
 * their punctuation. Invalid values are sent as they are, and the service reports the fault.
 */
export function toQuery({ from, to, amount, taxNumber, type, state, ...rest }: Filters) {
  const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);
  return {
    ...rest,
    ...(type && { type: type as (typeof TYPES)[number] }),
    ...(state && { state: state as (typeof STATES)[number] }),
    ...(taxNumber && { taxNumber: plainTaxNumber(taxNumber) }),
    ...(amount && { amount: parseMoney(amount) ?? amount }),
    ...(from && { from: isDay(from) ? startOfDay(from) : from }),
    ...(to && { to: isDay(to) ? startOfDay(to, 1) : to }),
  };
}
