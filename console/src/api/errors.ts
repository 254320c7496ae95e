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
  readonly message: string;
}

/** @param body of an answer that is no success, parsed as far as it could be */
export function toApiError(status: number, requestId: string | null, body: unknown): ApiError {
  const { error, message } = (isObject(body) ? body : {}) as { error?: unknown; message?: unknown };
  if (!isObject(error)) return new ApiError(status, text(message) || `HTTP ${status}`, text(message), requestId);
  const { name, message: said, details } = error;
  if (Array.isArray(details)) {
    const faults = details as Fault[];
    const fields = Object.fromEntries(faults.map((fault) => [fault.path, fault.message]));
    const listed = faults.map((fault) => `${fault.path}: ${fault.message}`).join('; ');
    return new ApiError(status, text(name), listed || text(said), requestId, fields);
  }
  const { reason, message: why } = isObject(details) ? details : {};
  const code = [text(name), text(reason)].filter(Boolean).join(' · ');
  return new ApiError(status, code, text(why) || text(said), requestId);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
