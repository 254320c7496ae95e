import { OperationError } from '../../platform/errors/index.js';

/** What a refusal tells: the limit, what is left of it, and from when all of it is there again (ISO 8601). */
export interface LimitRefusal extends Record<string, unknown> {
  readonly limit: string;
  readonly left: string;
  readonly from: string;
}

/** 422: one payout above what the account may pay at a time. */
export class PaymentLimitExceeded extends OperationError {
  constructor(refusal: Pick<LimitRefusal, 'limit'>) {
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
