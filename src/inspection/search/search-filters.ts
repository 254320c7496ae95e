import type { TransactionState, TransactionType } from '../../accounts/index.js';
import { ValidationError } from '../../platform/errors/index.js';
import { parseMoment, PERIOD } from '../../platform/http/index.js';
import { parseAmount } from '../../platform/money.js';
import { parseTaxNumber } from '../../platform/tax-number.js';

export const TYPES: readonly TransactionType[] = ['Transfer', 'CashIn', 'CashOut', 'Refund'];
export const STATES: readonly TransactionState[] = ['Registered', 'Completed', 'Error', 'Reversed', 'Cancelled'];

/** What transactions may be searched by. Every one narrows what the others leave. */
export interface SearchFilters {
  readonly id?: string;
  readonly orderId?: string;
  readonly endToEndId?: string;
  readonly txid?: string;
  /** Normalised. */
  readonly taxNumber?: string;
  /** Centavos. */
  readonly amount?: bigint;
  readonly type?: TransactionType;
  readonly state?: TransactionState;
  readonly partnerUid?: string;
  readonly accountUid?: string;
  /** Registered then or later. */
  readonly from?: Date;
  /** Registered before then. */
  readonly to?: Date;
}

/** The filters as a query gives them. */
export type SearchQuery = Readonly<Partial<Record<string, unknown>>>;

/** For the documents. */
export const SEARCH_PARAMETERS = [
  { name: 'id', description: 'The transaction with this identifier' },
  { name: 'orderId', description: "With this orderId, any partner's" },
  { name: 'endToEndId', description: "With this identifier of the rail (E…), or of a refund's return (D…)" },
  { name: 'txid', description: 'The cash-in with this txid' },
  { name: 'taxNumber', description: 'Paid to, or by, a person or company with this CPF or CNPJ' },
  { name: 'amount', description: 'Of exactly this amount, such as 10.50' },
  { name: 'type', description: 'Only this type', enum: TYPES },
  { name: 'state', description: 'Only those now in this state', enum: STATES },
  { name: 'partner', description: 'Of this partner (uid)' },
  { name: 'account', description: 'Of this account (uid), on either side' },
  ...PERIOD,
] as const;

/** @throws ValidationError naming the parameter */
export function parseSearch(query: SearchQuery): SearchFilters {
  const text = (name: string) => single(name, query[name]);
  return {
    id: text('id'),
    orderId: text('orderId'),
    endToEndId: text('endToEndId'),
    txid: text('txid'),
    taxNumber: taxNumber(text('taxNumber')),
    amount: amount(text('amount')),
    type: oneOf('type', text('type'), TYPES),
    state: oneOf('state', text('state'), STATES),
    partnerUid: text('partner'),
    accountUid: text('account'),
    from: parseMoment('from', text('from')),
    to: parseMoment('to', text('to')),
  };
}

function amount(given: string | undefined): bigint | undefined {
  if (given === undefined) return undefined;
  const centavos = parseAmount(given);
  if (centavos === undefined || centavos < 0n)
    throw fault('amount', 'InvalidFormat', 'must be an amount such as 10.50');
  return centavos;
}

function taxNumber(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const parsed = parseTaxNumber(given);
  if (!parsed) throw fault('taxNumber', 'InvalidFormat', 'must be a CPF or CNPJ with valid check digits');
  return parsed.value;
}

function oneOf<T extends string>(path: string, given: string | undefined, allowedValues: readonly T[]): T | undefined {
  if (given === undefined) return undefined;
  const known = allowedValues.find((one) => one === given);
  if (!known) throw fault(path, 'NotAllowed', `must be one of ${allowedValues.join(', ')}`, { allowedValues });
  return known;
}

/** A parameter given twice arrives as a list; and a NUL can stand in no text of the database. */
export function single(path: string, given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && !given.includes('\0')) return given;
  throw fault(path, 'InvalidFormat', 'must be given once, as text');
}

export function fault(path: string, code: string, message: string, info: Record<string, unknown> = {}) {
  return new ValidationError([{ path, code, message, info }]);
}
