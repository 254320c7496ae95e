import { DomainError, type ErrorLogLevel, GeneralError } from './app-error.js';

/** 401: wrong credentials, or a token that is missing, malformed, expired or revoked. */
export class AuthenticationError extends GeneralError {
  override readonly name = 'AuthenticationError';
  readonly status = 401;
}

export class RouteNotFound extends GeneralError {
  override readonly name = 'RouteNotFound';
  readonly status = 404;
}

export class MethodNotAllowed extends GeneralError {
  override readonly name = 'MethodNotAllowed';
  readonly status = 405;

  constructor(readonly allowed: readonly string[]) {
    super(`This route answers to ${allowed.join(', ')}.`);
  }
}

/** The request did not arrive completely in time. */
export class RequestTimeout extends GeneralError {
  override readonly name = 'RequestTimeout';
  readonly status = 408;
}

export class Gone extends GeneralError {
  override readonly name = 'Gone';
  readonly status = 410;
}

export class PayloadTooLarge extends GeneralError {
  override readonly name = 'PayloadTooLarge';
  readonly status = 413;
}

export class UnsupportedMediaType extends GeneralError {
  override readonly name = 'UnsupportedMediaType';
  readonly status = 415;
}

/** The expectation of `Expect` is not supported. */
export class ExpectationFailed extends GeneralError {
  override readonly name = 'ExpectationFailed';
  readonly status = 417;
}

export class TooManyRequests extends GeneralError {
  override readonly name = 'TooManyRequests';
  readonly status = 429;

  constructor(
    message: string,
    override readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/** The header is too large. */
export class HeadersTooLarge extends GeneralError {
  override readonly name = 'HeadersTooLarge';
  readonly status = 431;
}

export class InternalError extends GeneralError {
  override readonly name = 'InternalError';
  readonly status = 500;
  override readonly logLevel = 'error' as const;

  constructor() {
    super('An unexpected error occurred. The request id identifies it in our logs.');
  }
}

/** 503: nothing was done; the same request may be sent again. */
export class ServiceUnavailable extends GeneralError {
  override readonly name = 'ServiceUnavailable';
  readonly status = 503;
  override readonly logLevel: ErrorLogLevel = 'warn';

  constructor(
    message: string,
    override readonly retryAfterSeconds = 1,
  ) {
    super(message);
  }
}

/** 503: overload. Counted, not logged: there may be thousands a second. */
export class Overloaded extends ServiceUnavailable {
  override readonly logLevel = 'debug';
}

/** 503: the database failed during COMMIT, and the outcome could not be read in time. */
export class OutcomeUnknown extends GeneralError {
  override readonly name = 'OutcomeUnknown';
  readonly status = 503;
  override readonly retryAfterSeconds = 2;
  override readonly logLevel: ErrorLogLevel = 'error';

  constructor(
    message = 'Whether the request was carried out could not be determined. ' +
      'Repeat it with the same Idempotency-Key: it will run once at most.',
  ) {
    super(message);
  }
}

/** 404: it does not exist, or belongs to another partner: the answer is the same. */
export class EntityNotFound extends DomainError {
  override readonly name = 'EntityNotFound';
  readonly status = 404;
  readonly details: Record<string, unknown>;

  constructor(entityName: string, parameterName: string, parameterValue: string) {
    const message = `${entityName} with ${parameterName} ${parameterValue} was not found.`;
    super(message);
    this.details = { entityName, parameterName, parameterValue, message };
  }
}

/** A refusal with a reason: `details` are the reason, its message, and further facts. */
abstract class ReasonedError extends DomainError {
  readonly details: Record<string, unknown>;

  constructor(reason: string, message: string, info: Record<string, unknown> = {}) {
    super(message);
    this.details = { reason, message, ...info };
  }
}

/** 400: a rule on the input itself. */
export class InvalidInputError extends ReasonedError {
  override readonly name = 'InvalidInputError';
  readonly status = 400;
}

/** 422: well-formed and allowed, but not in the present state. */
export class OperationError extends ReasonedError {
  override readonly name = 'OperationError';
  readonly status = 422;
}

/** 422: the request did nothing, as another item of its batch was refused. */
export class NotApplied extends OperationError {
  constructor(message = 'Another item of the batch was refused, so this request did not do it.') {
    super('NotApplied', message);
  }
}

/** 409: the same idempotency key with another request, or a duplicate of something unique. */
export class ConflictError extends ReasonedError {
  override readonly name = 'ConflictError';
  readonly status = 409;
}
