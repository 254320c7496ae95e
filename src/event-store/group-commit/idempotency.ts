import { hash } from 'node:crypto';
import { ConflictError } from '../../platform/errors/index.js';
import type { RequestMark } from '../log/event.js';
import type { InlineProjection } from '../projections/inline-projection.js';
import { Table } from '../projections/table.js';
import type { PersonalDataCodec } from '../subjects/personal-data-codec.js';

/** An idempotency key as a command carries it. */
export interface IdempotencyKey {
  /** The actor that the key belongs to. */
  readonly scope: string;
  /** The caller's key, 1–255 visible ASCII; only a hash of it is stored. */
  readonly key: string;
  /** Canonical text of the request (route and body): equal text is the same request. */
  readonly request: string;
}

/** A request's key, if it has one, as a command carries it. @param scope the account */
export function scoped(scope: string, request: Omit<IdempotencyKey, 'scope'> | undefined): IdempotencyKey | undefined {
  return request && { scope, ...request };
}

/** What is stored of a key, for ever: the events of its command. */
export interface IdempotencyRow {
  /** SHA-256 of scope and key, hex. */
  readonly id: string;
  /** Keyed hash of the request, hex; of versions before SHA-256 without a key. */
  readonly request: string;
  /** Position of the command's first event, and how many it appended. */
  readonly position: bigint;
  readonly events: number;
}

/** A keyed hash is a byte shorter than SHA-256, by which the hashes of versions before are told from it. */
const KEYED_BYTES = 31;

/**
 * A key's mark; that of a command's first event also has the number of its events. Requests are hashed under a secret:
 * who sees the event could guess what else was in a request, and a hash without a key would tell that the guess is
 * right, for ever.
 */
export function markOf({ scope, key, request }: IdempotencyKey, codec: PersonalDataCodec): RequestMark {
  const id = hash('sha256', `${scope}\n${key}`, 'hex');
  const keyed = codec.lookupOf({ clear: `request|${id}|${request}` });
  return { id, request: keyed.subarray(0, KEYED_BYTES).toString('hex') };
}

export function isSameRequest(earlier: IdempotencyRow, mark: RequestMark, key: IdempotencyKey): boolean {
  return earlier.request === (earlier.request.length > 2 * KEYED_BYTES ? plainMarkOf(key) : mark.request);
}

/** Of the key of a request of many, which each of its commands has, made once. */
const plainMarks = new WeakMap<IdempotencyKey, string>();

function plainMarkOf(key: IdempotencyKey): string {
  let mark = plainMarks.get(key);
  if (mark === undefined) plainMarks.set(key, (mark = hash('sha256', key.request, 'hex')));
  return mark;
}

/** @throws ConflictError when the key was used for another request (decisions 5) */
export function assertSameRequest(earlier: IdempotencyRow, mark: RequestMark, key: IdempotencyKey): void {
  if (!isSameRequest(earlier, mark, key)) throw new KeyReused();
}

/** The key was used with another request. */
export class KeyReused extends ConflictError {
  constructor() {
    super('IdempotencyKeyReuse', 'This Idempotency-Key was used with another request.');
  }
}

/** The key of the request of several commands: none of them is done. */
export class RequestKeyReused extends KeyReused {}

const table = new Table<IdempotencyRow>({
  table: 'idempotency',
  columns: { id: 'hex', request: 'hex', position: 'bigint', events: 'int' },
  alike: [['events']],
});

/**
 * Idempotency results as a projection of the log: the first event of a command carries the key's hash, so
 * the table can be verified and rebuilt like any other.
 */
export const idempotencyProjection: InlineProjection<IdempotencyRow> = {
  name: 'idempotency',

  keysOf: ({ metadata: { idempotency, requestIdempotency } }) => {
    if (requestIdempotency) return [...(idempotency ? [idempotency.id] : []), requestIdempotency.id];
    return idempotency ? [idempotency.id] : [];
  },

  evolve(earlier, { metadata: { idempotency, requestIdempotency }, position }, id) {
    if (earlier) throw new TypeError(`the key ${id} is that of the event at ${earlier.position} already`);
    if (requestIdempotency?.id === id) return { id, request: requestIdempotency.request, position, events: 1 };
    return { id, request: idempotency!.request, position, events: idempotency!.events };
  },

  ...table.inline(),
  fixed: table.fixed(),
};
