import { DomainError, InvalidInputError, OperationError } from '../../platform/errors/index.js';
import { formatAmount } from '../../platform/money.js';

/** 403, contract 7.2: the account of the context. `details` has the reason and nothing else. */
export class CustomerAccountIsNotActive extends DomainError {
  override readonly name = 'AuthenticationError';
  readonly status = 403;
  readonly details = { reason: 'CustomerAccountIsNotActive' };

  constructor() {
    super('The account is not active.');
  }
}

export class DestinationAccountIsNotActive extends OperationError {
  constructor() {
    super('DestinationAccountIsNotActive', 'The destination account is not active.');
  }
}

export class CustomerAccountInsufficientFunds extends OperationError {
  constructor() {
    super('CustomerAccountInsufficientFunds', 'The available balance does not cover the amount.');
  }
}

/** 422: nothing is blocked by the hold, and nothing will be. */
export class HoldIsClosed extends OperationError {
  constructor() {
    super('HoldIsClosed', 'The hold has ended.');
  }
}

export class HoldExceeded extends OperationError {
  constructor(left: bigint) {
    const blocked = formatAmount(left);
    super('HoldExceeded', `At most ${blocked} is blocked by the hold.`, { blocked });
  }
}

/** 422: a case decides about the hold, and has not ended. */
export class HoldIsOfCase extends OperationError {
  constructor(id: string) {
    super('HoldIsOfCase', 'A case that has not ended decides about the hold.', { case: id });
  }
}

/** 422: a rule blocked no deposit for this hold, so there is no payer to return to. */
export class HoldIsOfNoDeposit extends OperationError {
  constructor() {
    super('HoldIsOfNoDeposit', 'Only what was blocked of a deposit on its arrival can be returned to its payer.');
  }
}

export class RuleWithoutCondition extends InvalidInputError {
  constructor() {
    super('RuleWithoutCondition', 'A rule needs a condition: without one it would block every deposit.');
  }
}

export class TooManyRules extends OperationError {
  constructor(maximum: number) {
    super('TooManyRules', `A partner has at most ${maximum} rules.`, { maximum });
  }
}

export class RetryTimeNotInFuture extends InvalidInputError {
  constructor() {
    super('RetryTimeNotInFuture', 'The time until which the hold waits must be in the future.');
  }
}

/** 422: the balance limit would be exceeded. */
export class BalanceLimitExceeded extends OperationError {
  constructor() {
    super('BalanceLimitExceeded', 'The account would hold more than an account can hold.');
  }
}

/** 422: the states do not allow it (contract 3, decisions 5). */
export class TransitionNotAllowed extends OperationError {
  constructor(from: string, to: string) {
    super('TransitionNotAllowed', `What is in the state ${from} cannot become ${to}.`, { state: from });
  }
}
