import { errorText, faultText } from '../i18n/service-words.js';

/** A refusal of the service in one shape, whichever of its three it had (docs/errors.md), or a fault on the way to it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** HTTP status; 0 where there was no answer. */
    readonly status: number,
    /** `error.name`, with `details.reason` where there is one. */
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    /** Faults by the path of the member they are about. */
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

interface Fault {
  readonly path: string;
  readonly code?: unknown;
  readonly message: string;
}

/** @param body of an answer that is no success, parsed as far as it could be */
export function toApiError(status: number, requestId: string | null, body: unknown): ApiError {
  const { error, message: plain } = (isObject(body) ? body : {}) as { error?: unknown; message?: unknown };
  if (!isObject(error)) {
    const spoken = errorText(text(plain), '') ?? text(plain);
    return new ApiError(status, text(plain) || `HTTP ${status}`, spoken, requestId);
  }
  const { name, message: said, details } = error;
  if (Array.isArray(details)) {
    const faults = details as Fault[];
    const said = ({ code, message }: Fault) => faultText(text(code)) ?? message;
    const fields = Object.fromEntries(faults.map((fault) => [fault.path, said(fault)]));
    const listed = faults.map((fault) => `${fault.path}: ${said(fault)}`).join('; ');
    return new ApiError(status, text(name), listed || text(said), requestId, fields);
  }
  const { reason, message: why } = isObject(details) ? details : {};
  const code = [text(name), text(reason)].filter(Boolean).join(' · ');
  const spoken = errorText(text(name), text(reason)) ?? (text(why) || text(said));
  return new ApiError(status, code, spoken, requestId);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
