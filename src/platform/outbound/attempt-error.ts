import { errors } from 'undici';

/**
 * Why an attempt failed before or beside its HTTP status, as the partner reads it in the delivery log.
 *
 * A closed set whose texts reveal nothing of the internal network, so that the log is no port scanner: an unknown name
 * and a name with an internal address are one code (else the log would reveal internal DNS names), and
 * refused, reset and unreachable are one code. `Timeout` and `ConnectionFailed` can differ only for addresses that may
 * be dialled at all, which the partner can reach without us.
 */
export const ATTEMPT_ERRORS = {
  AddressNotAllowed: 'The URL is not one that webhooks are sent to.',
  NameNotResolved: 'The host name does not resolve to public addresses only.',
  ConnectionFailed: 'The connection could not be made, or broke before the answer was complete.',
  TlsFailed: 'No secure connection could be made: check the certificate, its chain and its names.',
  Timeout: 'No complete answer came in time.',
  InvalidResponse: 'The answer was not valid HTTP.',
  RedirectNotFollowed: 'The answer was a redirect, and redirects are not followed.',
  NotPrepared: 'The service could not prepare the notification: nothing was sent, and the fault is not the receiver’s.',
} as const;

export type AttemptErrorCode = keyof typeof ATTEMPT_ERRORS;

/**
 * An attempt that failed. `code` is for the partner; `detail` (addresses, system codes) is for the operator's log only.
 */
export class AttemptFailed extends Error {
  override readonly name = 'AttemptFailed';

  constructor(
    readonly code: AttemptErrorCode,
    readonly detail: string,
  ) {
    super(ATTEMPT_ERRORS[code]);
  }
}

/** The process is shutting down: the attempt must not count against the receiver. */
export class SenderClosed extends Error {
  override readonly name = 'SenderClosed';

  constructor() {
    super('The sender is closed.');
  }
}

const INVALID_RESPONSES = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
]);
const CLOSED = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** The typed failure for an error of undici or the socket. */
export function attemptFailure(error: unknown): AttemptFailed | SenderClosed {
  if (error instanceof AttemptFailed || error instanceof SenderClosed) return error;
  const code = errorCode(error);
  if (CLOSED.has(code)) return new SenderClosed();
  const invalid = error instanceof errors.HTTPParserError || INVALID_RESPONSES.has(code);
  return new AttemptFailed(invalid ? 'InvalidResponse' : 'ConnectionFailed', errorDetail(error));
}

/** The system's or undici's code, and the message, for the operator's log. */
export function errorDetail(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  return code === '' || message.includes(code) ? message : `${code}: ${message}`;
}

function errorCode(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
