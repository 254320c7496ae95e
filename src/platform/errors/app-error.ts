/** How loud an error is in the log: a partner's mistake is not an operator's alarm. */
export type ErrorLogLevel = 'debug' | 'info' | 'warn' | 'error';

/** One fault of a body, contract 7.1 and decisions 2. */
export interface FaultDetail {
  /** Dotted path of the member, `payment.recipient.account.branch`. */
  readonly path: string;
  /** Stable upper-camel-case word: `Required`, `InvalidFormat`, `TooLong` … */
  readonly code: string;
  readonly message: string;
  readonly info: Record<string, unknown>;
}

/** An error that a caller may see: it knows its HTTP status, its body and its log level. */
export abstract class AppError extends Error {
  abstract readonly status: number;
  abstract body(): Record<string, unknown>;
  readonly logLevel: ErrorLogLevel = 'info';
  /** Seconds after which a repetition makes sense, for the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined = undefined;

  /** An answer, not a defect: where it was made is of no use to anybody, and costs as much as half of a refusal. */
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

/** Shape 2: well-formed, refused by a rule. Subclasses say name, status and details. */
export abstract class DomainError extends AppError {
  abstract readonly details: Record<string, unknown>;

  body() {
    return { statusCode: 'Error', error: { name: this.name, code: this.name, details: this.details } };
  }
}

/** Shape 3, the bare form: the caller is known and may not. */
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

/** Shape 3: authentication, faults of the server, and what HTTP itself refuses. */
export abstract class GeneralError extends AppError {
  body() {
    return { statusCode: 'Error', error: { name: this.name, message: this.message } };
  }
}
