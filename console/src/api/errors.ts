import { t } from '../i18n/index.js';
import { errorText, faultText } from '../i18n/service-words.js';

/** An error of the service, from any of its three shapes (docs/errors.md), or a network fault. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** HTTP status; 0 without an answer. */
    readonly status: number,
    /** `error.name`, with `details.reason` where there is one. */
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    /** Validation faults by the path of their field. */
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  /** Whether the command may have been carried out all the same: its answer was lost, or the service does not know. */
  get isOutcomeUnknown(): boolean {
    return this.status < 400 || this.status === 408 || (this.status >= 500 && this.code !== 'ServiceUnavailable');
  }
}

interface Fault {
  readonly path: string;
  readonly code?: unknown;
  readonly message: string;
}

/** @param body of an error answer, parsed where it is JSON */
export function toApiError(status: number, requestId: string | null, body: unknown): ApiError {
  const { error, message: plain } = (isObject(body) ? body : {}) as { error?: unknown; message?: unknown };
  if (!isObject(error)) {
    const shown = errorText(text(plain), '') ?? (text(plain) || wordsFor(status));
    return new ApiError(status, text(plain) || `HTTP ${status}`, shown, requestId);
  }
  const { name, message, details } = error;
  if (Array.isArray(details)) {
    const faults = details as Fault[];
    const messageOf = ({ code, message }: Fault) => faultText(text(code)) ?? message;
    const fields = Object.fromEntries(faults.map((fault) => [fault.path, messageOf(fault)]));
    const listed = faults.map((fault) => `${fault.path}: ${messageOf(fault)}`).join('; ');
    return new ApiError(status, text(name), listed || text(message), requestId, fields);
  }
  const { reason, message: why } = isObject(details) ? details : {};
  const code = [text(name), text(reason)].filter(Boolean).join(' · ');
  const shown = errorText(text(name), text(reason)) ?? (text(why) || text(message));
  return new ApiError(status, code, shown, requestId);
}

/** For an answer without words, such as that of a proxy before a service that is away. */
function wordsFor(status: number): string {
  return status >= 500 ? t('The service does not answer. Check the connection and try again.') : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
