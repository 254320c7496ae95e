import type { TransactionState } from '../../accounts/index.js';
import {
  ConflictError,
  InvalidInputError,
  OperationError,
  OutcomeUnknown,
  ServiceUnavailable,
} from '../../platform/errors/index.js';
import { formatAmount } from '../../platform/money.js';

/** 422: a cash-in that is not completed cannot be refunded. */
export class NothingToRefund extends OperationError {
  constructor(state: TransactionState) {
    super('TransitionNotAllowed', 'Only a completed deposit can be given back.', { state });
  }
}

export class RefundExceedsOriginal extends OperationError {
  constructor(left: bigint) {
    const refundable = formatAmount(left);
    super('RefundExceedsOriginal', `At most ${refundable} is left to give back.`, { refundable });
  }
}

export class RefundPeriodExpired extends OperationError {
  constructor(days: number) {
    super('RefundPeriodExpired', `A deposit can be given back up to ${days} days after it was completed.`, { days });
  }
}

/** 422: the rail of this service only receives payments. */
export class CashOutNotAvailable extends OperationError {
  constructor() {
    super('CashOutNotAvailable', 'Payouts cannot be made: the way to the outside of this service only receives.');
  }
}

/** 422: the rail cannot check, before it pays, whether the key belongs to the account. */
export class KeyAccountCheckNotAvailable extends OperationError {
  constructor() {
    super(
      'KeyAccountCheckNotAvailable',
      'Whether the key belongs to the account cannot be checked here: send the key or the account alone.',
    );
  }
}

/** 400: an account that is paid without its key needs its verification digit. */
export class AccountDigitIsRequired extends InvalidInputError {
  constructor() {
    super('AccountDigitIsRequired', 'The verification digit of the account is missing.', {
      property: 'payment.recipient.account.digit',
    });
  }
}

/** 422: the rail of this service does not pay to accounts of this type. */
export class AccountTypeNotAvailable extends OperationError {
  constructor(type: string) {
    super('AccountTypeNotAvailable', `Accounts of the type ${type} cannot be paid here.`, { type });
  }
}

/** 422: the request names a payer, and the rail does not report who paid: it could not be checked (decisions 7). */
export class PayerCannotBeVerified extends OperationError {
  constructor(member: 'cpf' | 'account' | 'validationAccounts') {
    const property = `payment.payer.${member}`;
    super('PayerCannotBeVerified', `Who pays cannot be checked here: leave ${property} out.`, { property });
  }
}

/** 422: the rail refused the charge for good. */
export class ChargeRefusedByRail extends OperationError {
  constructor(code: string) {
    super('ChargeRefusedByRail', 'The deposit cannot be made: the rail refused its charge.', { code });
  }
}

/** 503: a charge that was to be closed, and may be. */
export class ChargeMayBeClosed extends OutcomeUnknown {
  override readonly logLevel = 'warn';

  constructor() {
    super('Whether the deposit can still be paid could not be determined. Cancel it again, or read it.');
  }
}

/** 503: a payment of a charge whose event may be about to be appended. */
export class ChargeNotYetKnown extends ServiceUnavailable {
  constructor() {
    super('The charge of this payment is not known yet. It is asked for again.', 5);
  }
}

/** 503: a payment that the rail could not be asked about: who made it, or whether another one came before. */
export class PaymentNotYetKnown extends ServiceUnavailable {
  /** @param retryAfterMs as the rail asked for */
  constructor(retryAfterMs: number) {
    super('The rail could not be asked about the payment. It is asked again.', Math.ceil(retryAfterMs / 1000) || 5);
  }
}

/** 400: nothing of the deposit would be left (decisions 7). */
export class PaymentValueNotAboveCharge extends InvalidInputError {
  constructor(charge: bigint) {
    const charges = formatAmount(charge);
    super('PaymentValueNotAboveCharge', `The amount must be above the charge of ${charges}.`, { charges });
  }
}

/** The reason of a scheduled payout whose recipient's data were destroyed before its time. */
export class RecipientForgotten extends OperationError {
  constructor() {
    super('RecipientForgotten', "The recipient's data were destroyed at the recipient's request.");
  }
}

/** 409: the partner's order ids must be unique in an account (decisions 9, `uniqueOrderIds`). */
export class OrderIdAlreadyUsed extends ConflictError {
  constructor(orderId: string) {
    super('OrderIdAlreadyUsed', 'Another transaction of this account has this orderId.', { orderId });
  }
}
