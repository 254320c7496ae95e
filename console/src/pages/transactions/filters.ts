import { startOfDay } from '../../format/date.js';
import { parseMoney } from '../../format/money.js';
import { plainTaxNumber } from '../../format/tax-number.js';

export const TYPES = ['Transfer', 'CashIn', 'CashOut', 'Refund'] as const;
export const STATES = ['Registered', 'Completed', 'Error', 'Reversed', 'Cancelled'] as const;

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

/** Filters as the address has them: days are days, amounts are as they were typed. */
export type Filters = Partial<Record<(typeof NAMES)[number], string>>;

/** Filters of an address; what it has besides, and what is empty, is left out. */
export function readFilters(search: URLSearchParams): Filters {
  const given = NAMES.map((name) => [name, search.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/**
 * Filters as the route wants them: days of Brasília become moments (the last day whole), amounts and tax numbers lose
 * their marks. What cannot be read goes as it is, and the service says what is wrong with it.
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
