import { InvalidInputError, OperationError, ServiceUnavailable } from '../../platform/errors/index.js';
import { formatAmount } from '../../platform/money.js';

/** 422: the case is past what was asked of it. */
export class InfractionIsDecided extends OperationError {
  constructor(status: string) {
    super('InfractionIsDecided', `The report is ${status}: nothing more is decided.`, { status });
  }
}

/** 422: a defence comes once, and in time. */
export class DefenceNotPossible extends OperationError {
  constructor(because: 'Late' | 'Given') {
    const message = because === 'Late' ? 'The time for a defence is over.' : 'A defence was given already.';
    super('DefenceNotPossible', message, { because });
  }
}

/** 422: the rail analyses reports itself, and takes a defence only, or another one reported the case. */
export class DecidedByRail extends OperationError {
  constructor() {
    super(
      'DecidedByRail',
      'The rail of this service decides about reports, or another rail reported this one: it takes no decision.',
    );
  }
}

export class ReturnExceedsReport extends InvalidInputError {
  constructor(amount: bigint) {
    const maximum = formatAmount(amount);
    super('ReturnExceedsReport', `At most ${maximum} is asked for.`, { maximum });
  }
}

/** 422: only a payout that was completed can be recovered. */
export class NothingToRecover extends OperationError {
  constructor(state: string) {
    super('NothingToRecover', 'Only a completed payout can be recovered, and only what has not come back.', { state });
  }
}

export class RecoveryPeriodExpired extends OperationError {
  constructor(days: number) {
    super('RecoveryPeriodExpired', `A recovery can be asked for up to ${days} days after the payout.`, { days });
  }
}

/** 422: one at a time. */
export class RecoveryIsOpen extends OperationError {
  constructor() {
    super('RecoveryIsOpen', 'A recovery of this payout is under way.');
  }
}

/** 422: the rail of this service opens no recoveries. */
export class RecoveryNotAvailable extends OperationError {
  constructor() {
    super('RecoveryNotAvailable', 'Recoveries cannot be made: the rail of this service does not open them.');
  }
}

/** 503: whether the rail's return is covered is known once the deposit's refund has ended. It is asked for again. */
export class RefundUnderWay extends ServiceUnavailable {
  constructor() {
    super('A refund of the deposit is under way, and may leave what the rail gave back.', 5);
  }
}
