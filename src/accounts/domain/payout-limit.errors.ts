import { ConflictError, OperationError } from '../../platform/errors/index.js';

/** What a refusal tells: the limit, what is left of it, and from when all of it is there again (ISO 8601). */
export interface LimitRefusal extends Record<string, unknown> {
  readonly limit: string;
  readonly left: string;
  readonly from: string;
  readonly scope?: LimitScope;
}

/** Whose limit it is: of payouts to the holder, to others, to a secure contact. Absent: of all payouts. */
export type LimitScope = 'Own' | 'Others' | 'Contact';

/** 422: one payout above what the account may pay at a time. */
export class PaymentLimitExceeded extends OperationError {
  constructor(refusal: { readonly limit: string; readonly scope?: LimitScope }) {
    super('PaymentLimitExceeded', 'The amount is above the limit of one payout.', refusal);
  }
}

export class DayLimitExceeded extends OperationError {
  constructor(refusal: LimitRefusal) {
    super('DayLimitExceeded', 'The amount is above what is left of the limit by day.', refusal);
  }
}

export class NightLimitExceeded extends OperationError {
  constructor(refusal: LimitRefusal) {
    super('NightLimitExceeded', 'The amount is above what is left of the limit by night.', refusal);
  }
}

export class MonthLimitExceeded extends OperationError {
  constructor(refusal: LimitRefusal) {
    super('MonthLimitExceeded', 'The amount is above what is left of the limit of the month.', refusal);
  }
}

export class PayoutsPerHourExceeded extends OperationError {
  constructor(refusal: LimitRefusal) {
    super('PayoutsPerHourExceeded', 'The account has made as many payouts in this hour as it may.', refusal);
  }
}

export class PayeeDayLimitExceeded extends OperationError {
  constructor(refusal: LimitRefusal) {
    super('PayeeDayLimitExceeded', 'The amount is above what is left for this payee by day.', refusal);
  }
}

export class PayeeNightLimitExceeded extends OperationError {
  constructor(refusal: LimitRefusal) {
    super('PayeeNightLimitExceeded', 'The amount is above what is left for this payee by night.', refusal);
  }
}

/** 422: an account may have so many secure contacts. */
export class TooManyContacts extends OperationError {
  constructor(maximum: number) {
    super('TooManyContacts', `An account may have at most ${maximum} secure contacts.`, { maximum });
  }
}

/** 409: the person is a secure contact of the account already. */
export class ContactAlreadyRegistered extends ConflictError {
  constructor(id: string) {
    super('ContactAlreadyRegistered', 'This person is a secure contact of the account.', { id });
  }
}
