/** An error in a log record. */
export interface ErrorRecord {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorRecord;
  readonly errors?: readonly ErrorRecord[];
}

const DEEPEST = 5;

/**
 * Type, message, code and stack, and nothing else: errors of drivers also carry rows, parameters and responses
 * (PostgreSQL's `detail` quotes the offending row), which may be personal or secret.
 */
export function errorRecord(error: unknown, depth = 0): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error, message: 'something that is no Error was thrown' };
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const deeper = depth < DEEPEST;
  return {
    type: error.constructor.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(deeper && cause instanceof Error && { cause: errorRecord(cause, depth + 1) }),
    ...(deeper && Array.isArray(errors) && { errors: errors.map((one) => errorRecord(one, depth + 1)) }),
  };
}
