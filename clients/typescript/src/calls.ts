import type { Answered } from './transport.js';

export interface CallOptions {
  /**
   * Aborts the call, waits and retries included; its reason is thrown, and has no idempotency key. A command that was
   * aborted may have been carried out: give it a key of yours.
   */
  readonly signal?: AbortSignal;
}

export interface CommandOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters, stored for ever: the same key with the same request is executed once. Without it
   * one is generated, which covers this call's own retries. Give your own, stored before the call, to cover a retry
   * after a crash of yours too.
   */
  readonly idempotencyKey?: string;
}

export interface PreviewOptions extends CallOptions {
  /** The key of the run: `replayed` tells whether it was used for the same request already. None is generated. */
  readonly idempotencyKey?: string;
}

/** The result of a command. */
export interface CommandResult<T> {
  readonly data: T;
  /** The idempotency key of the command. */
  readonly idempotencyKey: string;
  /** It was executed before; `data` is the first answer. */
  readonly replayed: boolean;
  readonly requestId: string | null;
  /** `Deprecation` and `Sunset` (RFC 9745, RFC 8594), where the answer announces a deprecation. */
  readonly deprecation: { readonly since: string; readonly sunset: string | null } | null;
}

export function resultOf<T>({ data, headers }: Answered<T>, idempotencyKey: string): CommandResult<T> {
  const since = headers.get('deprecation');
  return {
    data,
    idempotencyKey,
    replayed: headers.get('idempotent-replayed') === 'true',
    requestId: headers.get('x-request-id'),
    deprecation: since === null ? null : { since, sunset: headers.get('sunset') },
  };
}
