import type { FaultDetail, TransferBatch } from './types.js';

/**
 * Every reason that the service may give with `InvalidInputError`, `AuthenticationError`, `OperationError` and
 * `ConflictError` (docs/errors.md, checked by a test). Reasons may be added: keep a default case.
 */
export const REASONS = [
  'TransferAmountMustBeGreaterThanZero',
  'AmountMustBeGreaterThanZero',
  'AmountBelowMinimum',
  'AmountAboveMaximum',
  'RetryTimeNotInFuture',
  'RuleWithoutCondition',
  'ScheduledForNotAllowed',
  'RetryUntilNotAllowed',
  'ScheduleRunsNotAllowed',
  'MinimumAboveMaximum',
  'PaymentValueMustBeGreaterThanZero',
  'AccountDigitIsRequired',
  'PaymentValueNotAboveCharge',
  'CustomerAccountIsNotActive',
  'TransferNotAvailableForAccountClass',
  'TransferToSameAccountNotAllowed',
  'DestinationAccountIsNotActive',
  'CustomerAccountInsufficientFunds',
  'PaymentLimitExceeded',
  'PayoutsPerHourExceeded',
  'DayLimitExceeded',
  'NightLimitExceeded',
  'MonthLimitExceeded',
  'PayeeDayLimitExceeded',
  'PayeeNightLimitExceeded',
  'ContactAlreadyRegistered',
  'TooManyContacts',
  'BalanceLimitExceeded',
  'TooManyScheduled',
  'TooManySchedules',
  'HoldIsClosed',
  'HoldExceeded',
  'HoldIsOfCase',
  'HoldIsOfNoDeposit',
  'ReturnExceedsReport',
  'DefenceNotPossible',
  'InfractionIsDecided',
  'DecidedByRail',
  'NothingToRecover',
  'RecoveryPeriodExpired',
  'RecoveryIsOpen',
  'RecoveryNotAvailable',
  'TooManyRules',
  'NotApplied',
  'TransitionNotAllowed',
  'TooManyPayoutFiles',
  'RefundExceedsOriginal',
  'RefundPeriodExpired',
  'CashOutNotAvailable',
  'KeyAccountCheckNotAvailable',
  'AccountTypeNotAvailable',
  'RecipientForgotten',
  'QrCodeKindNotSupported',
  'QrCodeKeyInvalid',
  'QrCodeUnreachable',
  'QrCodeUnknown',
  'QrCodeSignatureInvalid',
  'QrCodePayloadInvalid',
  'QrCodeNotActive',
  'QrCodeExpired',
  'QrCodeAmountRequired',
  'QrCodeAmountMismatch',
  'QrCodeRecipientMismatch',
  'PayerCannotBeVerified',
  'ChargeRefusedByRail',
  'NotUnderThisCheckpoint',
  'WrongOrder',
  'NothingCovered',
  'TreeNotYetCovered',
  'RetentionPeriodRuns',
  'VerificationUnderWay',
  'IdempotencyKeyReuse',
  'OrderIdAlreadyUsed',
  'TaxNumberAlreadyRegistered',
] as const;

/** A known reason, or one that was added after this version of the client. */
export type Reason = (typeof REASONS)[number] | (string & {});

/** Every error of the client, except the `reason` of your abort signal. */
export class PaymentsError extends Error {
  override readonly name: string = 'PaymentsError';
  /** The idempotency key of the command: retry with this key. */
  idempotencyKey?: string;
  #wasSent = true;

  /** Whether the command may have been carried out: retry it with the same `idempotencyKey`, never with another. */
  get isOutcomeUnknown(): boolean {
    return this.#wasSent && this.leavesOpen();
  }

  /** The error of a login, as that of one of the calls that waited for it: nothing of that call was sent. */
  beforeSending(): PaymentsError {
    const own = this.copy();
    own.#wasSent = false;
    return own;
  }

  /** Whether what was answered so may have been done. */
  protected leavesOpen(): boolean {
    return false;
  }

  protected copy(): PaymentsError {
    return new PaymentsError(this.message, { cause: this.cause });
  }
}

/**
 * No answer came: no connection, one that broke, or none in time (`cause`; after retries, the error that ended the
 * call). The outcome is unknown: with a key, retry with the same `idempotencyKey`.
 */
export class NoAnswerError extends PaymentsError {
  override readonly name = 'NoAnswerError';

  protected override leavesOpen(): boolean {
    return true;
  }

  protected override copy(): PaymentsError {
    return new NoAnswerError(this.message, { cause: this.cause });
  }
}

/** An error answer, from any of its shapes. */
export interface ErrorAnswer {
  /**
   * `error.name` of the body; `Forbidden` for the bare form, `UnexpectedAnswer` for a body that is not of the service.
   */
  readonly name: string;
  readonly status: number;
  readonly message: string;
  /** `x-request-id`: name it when you ask the operator. */
  readonly requestId: string | null;
  /** Seconds or a date in `Retry-After`, as seconds from now. */
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Every fault of a malformed request. */
  readonly faults: readonly FaultDetail[];
  /** What the answer tells beside its error. */
  readonly data?: unknown;
}

/** The service answered with an error: a subclass, or this class for a kind without one. */
export class ApiError extends PaymentsError {
  override readonly name: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(protected readonly answer: ErrorAnswer) {
    super(answer.message);
    this.name = answer.name;
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
    this.details = answer.details;
  }

  /** Of what stands between: a proxy's 408 or 5xx, also with a name of its own, or a success that is no answer. */
  protected override leavesOpen(): boolean {
    const { name, status } = this;
    // The service names a request that it did not read to its end.
    const isCutOff = status === 408 && name !== 'RequestTimeout';
    return !KINDS.has(name) && (status < 300 || isCutOff || status >= 500);
  }

  protected override copy(): PaymentsError {
    return new (this.constructor as new (answer: ErrorAnswer) => ApiError)(this.answer);
  }

  /** Why a rule refused; absent where the request was malformed, and for errors without one. */
  get reason(): Reason | undefined {
    const { reason } = this.details;
    return typeof reason === 'string' ? reason : undefined;
  }
}

/** 400: malformed (`faults`), or against a rule on the input itself (`reason`). */
export class InvalidInputError extends ApiError {
  get faults(): readonly FaultDetail[] {
    return this.answer.faults;
  }
}
/**
 * 401: wrong credentials, or a token that is refused again after a new login; 403 with the reason
 * `CustomerAccountIsNotActive`.
 */
export class AuthenticationError extends ApiError {}
/** 403: the key may not do this, or not from here. */
export class ForbiddenError extends ApiError {}
/** 404: there is no such account or transaction of this partner. */
export class EntityNotFoundError extends ApiError {}
/** 409: the same `Idempotency-Key` with another request, or a duplicate of something unique. */
export class ConflictError extends ApiError {}
/** 422: well-formed and allowed, but not in the current state. */
export class OperationError extends ApiError {
  /** Of an atomic batch of which nothing was done: the result of each item, that of the item at fault among them. */
  get batch(): TransferBatch | undefined {
    return this.reason === 'NotApplied' ? (this.answer.data as TransferBatch | undefined) : undefined;
  }
}
/** 429: rate limit, or too many failed logins. Nothing was done, by any attempt of the call. */
export class TooManyRequestsError extends ApiError {}
/** 500: a defect of the service, of which nobody knows whether it came before the commit or after it. */
export class InternalError extends ApiError {
  protected override leavesOpen(): boolean {
    return true;
  }
}
/** 503: nothing was done, by any attempt of the call. */
export class ServiceUnavailableError extends ApiError {}
/** 503: the outcome is unknown. Retry with the same `idempotencyKey`: it is executed at most once. */
export class OutcomeUnknownError extends ApiError {
  protected override leavesOpen(): boolean {
    return true;
  }
}

/** By the names of the service; any other name is of what stands between. */
const KINDS: ReadonlyMap<string, new (answer: ErrorAnswer) => ApiError> = new Map(
  Object.entries({
    InvalidInputError,
    AuthenticationError,
    Forbidden: ForbiddenError,
    EntityNotFound: EntityNotFoundError,
    ConflictError,
    OperationError,
    TooManyRequests: TooManyRequestsError,
    InternalError,
    ServiceUnavailable: ServiceUnavailableError,
    OutcomeUnknown: OutcomeUnknownError,
  }),
);

/** The error of an answer, by the name in its body. */
export function errorOf(response: Response, body: unknown, now: number): ApiError {
  const { error, message, data } = record(body);
  const { name, message: said, details } = record(error);
  const inner = record(details);
  const kind = typeof name === 'string' ? name : message === 'Forbidden' ? 'Forbidden' : 'UnexpectedAnswer';
  const text = [said, inner.message, inner.reason, message].find((one) => typeof one === 'string');
  return new (KINDS.get(kind) ?? ApiError)({
    name: kind,
    status: response.status,
    message: text ?? `HTTP ${response.status}`,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfter(response.headers.get('retry-after'), now),
    details: Array.isArray(details) ? {} : inner,
    faults: Array.isArray(details) ? (details as FaultDetail[]) : [],
    data,
  });
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
