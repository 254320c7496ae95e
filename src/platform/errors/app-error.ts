/** The log level of an error: a partner's mistake is no alarm. */
export type ErrorLogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One fault of a body, contract 7.1 and decisions 2. */
export interface FaultDetail {
  /** Dotted path of the field, `payment.recipient.account.branch`. */
  readonly path: string;
  /** Stable upper-camel-case word: `Required`, `InvalidFormat`, `TooLong` … */
  readonly code: string;
  readonly message: string;
  readonly info: Record<string, unknown>;
}

/** An error for the caller, with its HTTP status, body and log level. */
export abstract class AppError extends Error {
  abstract readonly status: number;
  abstract body(): Record<string, unknown>;
  readonly logLevel: ErrorLogLevel = 'info';
  /** Seconds until a retry, for the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined = undefined;

  /** An answer, not a defect: its stack is useless, and costs half of a refusal's time. */
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      super(message);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}

/** Shape 1: malformed input; every fault at once. */
export class ValidationError extends AppError {
  override readonly name = 'InvalidInputError';
  readonly status = 400;

  constructor(
    readonly details: readonly FaultDetail[],
    message = 'The request is not valid.',
  ) {
    super(message);
  }

  body() {
    return { statusCode: 'Error', error: { name: this.name, message: this.message, details: this.details } };
  }
}

/** Shape 2: well-formed, refused by a rule. Subclasses set name, status and details. */
export abstract class DomainError extends AppError {
  abstract readonly details: Record<string, unknown>;

  body() {
    return { statusCode: 'Error', error: { name: this.name, code: this.name, details: this.details } };
  }
}

/** Shape 3, the bare form: the caller is authenticated but not authorized. */
export class Forbidden extends AppError {
  override readonly name = 'Forbidden';
  readonly status = 403;

  constructor() {
    super('Forbidden');
  }

  body() {
    return { message: 'Forbidden' };
  }
}

/** Shape 3: authentication, faults of the server, and refusals of HTTP itself. */
export abstract class GeneralError extends AppError {
  body() {
    return { statusCode: 'Error', error: { name: this.name, message: this.message } };
  }
}
