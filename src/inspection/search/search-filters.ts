import { Transform } from 'class-transformer';
import {
  TRANSACTION_STATES,
  TRANSACTION_TYPES,
  type TransactionState,
  type TransactionType,
} from '../../accounts/index.js';
import {
  DEFAULT_LIMIT,
  IsChoice,
  IsCursor,
  IsFilter,
  IsFrom,
  IsGivenOnce,
  IsIdFilter,
  IsLimit,
  IsTaxNumber,
  IsTo,
  Means,
} from '../../platform/http/index.js';
import { parseAmount } from '../../platform/money.js';
import { parseTaxNumber } from '../../platform/tax-number.js';

/** Filters of the search for transactions; all must match. */
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

const IsAmount = () => {
  const notNegative = (text: string) => {
    const centavos = parseAmount(text);
    return centavos === undefined || centavos < 0n ? undefined : centavos;
  };
  return Means('isAmount', notNegative, 'must be an amount such as 10.50');
};
const Normalised = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (parseTaxNumber(value)?.value ?? value) : value,
  );

/** The filters in a query. */
export class SearchQuery {
  @IsIdFilter('The transaction with this identifier') id?: string;
  @IsFilter("With this orderId, any partner's") orderId?: string;
  @IsFilter("With this identifier of the rail (E…), or of a refund's return (D…)") endToEndId?: string;
  @IsFilter('The cash-in with this txid') txid?: string;

  @IsFilter('Paid to, or by, a person or company with this CPF or CNPJ')
  @IsTaxNumber('must be a CPF or CNPJ with valid check digits')
  @Normalised()
  taxNumber?: string;

  @IsFilter('Of exactly this amount, such as 10.50') @IsAmount() amount?: bigint;
  @IsGivenOnce() @IsChoice('Only this type', TRANSACTION_TYPES) type?: TransactionType;
  @IsGivenOnce() @IsChoice('Only those now in this state', TRANSACTION_STATES) state?: TransactionState;
  @IsIdFilter('Of this partner (uid)') partner?: string;
  @IsIdFilter('Of this account (uid), on either side') account?: string;
  @IsGivenOnce() @IsFrom() from?: Date;
  @IsGivenOnce() @IsTo() to?: Date;
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}

export function toFilters(query: SearchQuery): SearchFilters {
  const { partner: partnerUid, account: accountUid, from, to, limit: _limit, cursor: _cursor, ...rest } = query;
  return { ...rest, partnerUid, accountUid, from, to };
}
