import { hash } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import { ConflictError } from '../platform/errors/index.js';
import type { IdempotencyMark } from './event.js';
import type { InlineProjection } from './inline-projection.js';
import { inserter } from './insert-rows.js';

/** An idempotency key as a command carries it. */
export interface IdempotencyKey {
  /** The actor that the key belongs to. */
  readonly scope: string;
  /** The caller's key, 1–255 visible ASCII; only a hash of it is stored. */
  readonly key: string;
  /** Canonical text of the request (route and body): equal text is the same request. */
  readonly request: string;
}

/** What the store remembers of a key, for ever: which events were its answer. */
export interface IdempotencyRow {
  /** SHA-256 of scope and key, hex. */
  readonly id: string;
  /** SHA-256 of the request, hex. */
  readonly request: string;
  /** Position of the command's first event, and how many it appended. */
  readonly position: bigint;
  readonly events: number;
}

/** The mark that a command's first event will carry, but for the number of events. */
export function markOf({ scope, key, request }: IdempotencyKey): Omit<IdempotencyMark, 'events'> {
  return { id: hash('sha256', `${scope}\n${key}`, 'hex'), request: hash('sha256', request, 'hex') };
}

/** @throws ConflictError when the key was used for another request (decisions 5) */
export function assertSameRequest(earlier: IdempotencyRow, mark: Pick<IdempotencyMark, 'request'>): void {
  if (earlier.request === mark.request) return;
  throw new ConflictError('IdempotencyKeyReuse', 'This Idempotency-Key was used with another request.');
}

const bytes = (hex: string) => Buffer.from(hex, 'hex');

const insert = inserter<IdempotencyRow>('idempotency-insert', 'idempotency', [
  ['id', 'bytea', (row) => bytes(row.id)],
  ['request', 'bytea', (row) => bytes(row.request)],
  ['position', 'bigint', (row) => row.position],
  ['events', 'int', (row) => row.events],
]);

/**
 * Idempotency results as a projection of the log: the first event of a command carries the key's hash, so
 * the table can be verified and rebuilt like any other.
 */
export const idempotencyProjection: InlineProjection<IdempotencyRow> = {
  name: 'idempotency',

  keysOf: (event) => (event.metadata.idempotency ? [event.metadata.idempotency.id] : []),

  evolve(_row, event, id) {
    const mark = event.metadata.idempotency!;
    return { id, request: mark.request, position: event.position, events: mark.events };
  },

  keyOf: (row) => row.id,

  load: (partition, keys) => ({
    name: 'idempotency-load',
    text: `
      select id, request, position, events from idempotency
      where partition = $1 and id = any($2::bytea[])`,
    values: [partition, keys.map(bytes)],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'idempotency-scan',
    text: `
      select id, request, position, events from idempotency
      where partition = $1 and id > $2
      order by id limit $3`,
    values: [partition, bytes(afterKey ?? ''), limit],
  }),

  fixed: {
    scan: {
      name: 'idempotency-sum',
      text: `
        select id, request, position, events from idempotency
        where partition = $1 and id > $3
        order by id limit $2`,
      first: ['\\x'],
      position: 2,
    },
    textsOf: ({ id, request, position, events }) => [`\\x${id}`, `\\x${request}`, String(position), String(events)],
  },

  parse: (row: QueryResultRow) => ({
    id: (row.id as Buffer).toString('hex'),
    request: (row.request as Buffer).toString('hex'),
    position: BigInt(row.position as string),
    events: row.events as number,
  }),

  remove: (partition, keys) => [
    {
      name: 'idempotency-remove',
      text: 'delete from idempotency where partition = $1 and id = any($2::bytea[])',
      values: [partition, keys.map(bytes)],
    },
  ],

  save: (partition, { inserted }) => [insert(partition, inserted)],
};
