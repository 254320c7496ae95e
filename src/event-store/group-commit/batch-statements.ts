import type { QueryResultRow } from 'pg';
import type { Batch, Head } from './batch.js';
import type { SecretToStore } from './append.js';
import { isAfterAllTime } from '../../platform/database/index.js';
import { CARRIED_AT_MOST, CARRIED_FROM, packTexts } from '../log/carried-texts.js';
import { REGISTRY_PARTITION } from '../log/identifiers.js';
import { LogContradicted } from '../log/log-contradicted.js';
import type { Statement } from '../log/statement.js';
import type { Column } from '../projections/columns.js';
import { inserter } from '../projections/insert-rows.js';
import { packPeaks, rootOf, unpackPeaks } from '../log/merkle.js';
import { type SecretTable, secretTableOf } from '../subjects/secret-tables.js';

/** The statements of a batch, except those of the projections. */

/** Locks the head. An update: `for update` alone did not hold through an online shard move. */
export function lockHead(partition: number): Statement {
  return {
    name: 'log-lock-head',
    text: `
      update log_head set position = position
      where partition = $1
      returning position, peaks, time, corrections`,
    values: [partition],
  };
}

/** The head as it stands, without a lock. */
export function readHead(partition: number): Statement {
  return {
    name: 'log-read-head',
    text: 'select position, peaks, time, corrections from log_head where partition = $1',
    values: [partition],
  };
}

/**
 * The time of the event that the head stands at. A statement of its own: behind that which locks the head it sees it.
 */
export function readNewestTime(partition: number): Statement {
  return {
    name: 'log-newest-time',
    text: `
      select time from event
      where partition = $1 and position = (select position from log_head where partition = $1)`,
    values: [partition],
  };
}

/** Of a log without events, as migrations make it. */
const BEFORE_ALL_EVENTS = { time: new Date(0) };

/**
 * @param newest of the event that it stands at
 * @throws LogContradicted where there is no head, or it was changed: time never goes back, and positions have no gaps,
 *   so that events behind a head of the future would keep it ahead for ever
 */
export function parseHead(row: QueryResultRow | undefined, newest: QueryResultRow | undefined): Head {
  const at = newest ?? (row?.position === '0' ? BEFORE_ALL_EVENTS : undefined);
  if (!row || !at) throw new LogContradicted();
  const [time, lastTime] = [row.time as Date, at.time as Date];
  if (time.getTime() !== lastTime.getTime() || isAfterAllTime(time)) throw new LogContradicted();
  return {
    tree: { size: BigInt(row.position as string), peaks: unpackPeaks(row.peaks as Buffer) },
    time,
    corrections: row.corrections as number,
  };
}

/** Fails with `HEAD_HAS_MOVED` if the partition's head has changed: then the statements after it are skipped. */
export function assertHead(partition: number, head: Head): Statement {
  return {
    name: 'log-assert-head',
    text: `
      select 1 / count(*) from log_head
      where partition = $1 and position = $2 and root = $3 and corrections = $4`,
    values: [partition, head.tree.size, rootOf(head.tree), head.corrections],
  };
}

/**
 * Moves the head from where the batch found it, and locks it. Fails with `HEAD_HAS_MOVED` if it has changed, or is not
 * there.
 */
export function moveHead(partition: number, batch: Batch): Statement {
  return {
    name: 'log-move-head',
    text: `
      with moved as (
        update log_head
        set position = $5, root = $6, peaks = $7, time = $8
        where partition = $1 and position = $2 and root = $3 and corrections = $4
        returning partition)
      select 1 / count(*) from moved`,
    values: [
      ...assertHead(partition, batch.head).values,
      batch.tree.size,
      rootOf(batch.tree),
      packPeaks(batch.tree.peaks),
      batch.at,
    ],
  };
}

/** Counts a correction, unless the event is in the log: every batch that is not written yet then finds another head. */
export function fenceHead(partition: number, position: bigint, eventId: string): Statement {
  return {
    name: 'log-fence-head',
    text: `
      update log_head set corrections = corrections + 1
      where partition = $1
        and not exists (select from event where partition = $1 and position = $2 and event_id = $3)`,
    values: [partition, position, eventId],
  };
}

/** The first event beyond the head. One statement reads both: a batch that commits meanwhile is seen whole. */
export function findBeyondHead(partition: number): Statement {
  return {
    name: 'log-beyond-head',
    text: `
      select e.position from log_head h join event e on e.partition = $1 and e.position > h.position
      where h.partition = $1
      order by e.position limit 1`,
    values: [partition],
  };
}

/** Events of attempts that may have committed. Asked under the head's lock: none can be added meanwhile. */
export function findOwnEvents(partition: number, since: bigint, eventIds: readonly string[]): Statement {
  return {
    name: 'log-find-own',
    text: `
      select event_id, position from event
      where partition = $1 and position > $2 and event_id = any($3::uuid[])`,
    values: [partition, since, eventIds],
  };
}

/** Which event stands at a position. Asked under the head's lock. */
export function readEventId(partition: number, position: bigint): Statement {
  return {
    name: 'log-event-id',
    text: 'select event_id from event where partition = $1 and position = $2',
    values: [partition, position],
  };
}

/** SQLSTATE of a division by zero: how a statement fails on a count. */
export const HEAD_HAS_MOVED = '22012';

/**
 * Of a commit with few events each has its own texts; of many, some carry those of others. The registry's are few, and
 * processes of the version before read them during an upgrade.
 */
export function insertEvents(partition: number, appended: Batch['appended']): Statement {
  if (appended.length < CARRIED_FROM || partition === REGISTRY_PARTITION) return insertWhole(partition, appended);
  return insertCarried(partition, appended);
}

type Inserted = Pick<Batch['appended'][number], 'row' | 'leaf'>;

const ENVELOPE: readonly Column<Inserted>[] = [
  ['event_id', 'uuid', ({ row }) => row.id],
  ['stream', 'text', ({ row }) => row.stream],
  ['leaf', 'bytea', ({ leaf }) => leaf],
  ['version', 'int', ({ row }) => row.version],
  ['type', 'text', ({ row }) => row.type],
  ['schema_version', 'smallint', ({ row }) => row.schemaVersion],
];
const ALIKE = ['version', 'type', 'schema_version'];

const insertWhole = inserter<Inserted>(
  'log-insert-events',
  'event',
  [
    ...ENVELOPE,
    ['position', 'bigint', ({ row }) => row.position],
    ['time', 'timestamptz', ({ row }) => row.time],
    ['data', 'json', ({ row }) => row.data],
    ['metadata', 'json', ({ row }) => row.metadata],
  ],
  { alike: [ALIKE] },
);

/** SQL: which of the packed texts an event's are in, from 1 on. */
const packedAt = (place: string) => `((${place} + ${CARRIED_AT_MOST - 1}) / ${CARRIED_AT_MOST})::int`;
/** SQL: the place of the event that carries them. */
const carrierAt = (length: string, place: string) => `least(${length}::int, ${packedAt(place)} * ${CARRIED_AT_MOST})`;

/** They follow one another, at one time: their places say the rest. */
const insertCarried = inserter<Inserted>('log-insert-carried', 'event', ENVELOPE, {
  alike: [ALIKE],
  derived: [
    {
      column: 'position',
      parameter: ([first]) => first!.row.position - 1n,
      sql: (of, place) => `${of('position')}::bigint + ${place}`,
    },
    { column: 'time', parameter: ([first]) => first!.row.time, sql: (of) => `${of('time')}::timestamptz` },
    {
      column: 'ahead',
      parameter: ({ length }) => length,
      sql: (of, place) => `(${carrierAt(of('ahead'), place)} - ${place})::int`,
    },
    {
      column: 'texts',
      parameter: (appended) => packTexts(appended.map(({ row }) => row)),
      sql: (of, place) =>
        `case when ${place} = ${carrierAt(of('ahead'), place)} then (${of('texts')}::bytea[])[${packedAt(place)}] end`,
    },
  ],
});

/** A credential's row may be replaced: identifiers are minted, so it is never another owner's. */
const secretWriter = (table: SecretTable) =>
  inserter<SecretToStore>(
    `${table}-write`,
    table,
    [
      ['id', 'uuid', (secret) => secret.id],
      ['value', 'bytea', (secret) => secret.value],
    ],
    { conflict: 'on conflict (partition, id) do update set value = excluded.value' },
  );

const SECRET_WRITERS = { secret: secretWriter('secret'), registry_secret: secretWriter('registry_secret') };

export function writeSecrets(partition: number, secrets: readonly SecretToStore[]): Statement {
  return SECRET_WRITERS[secretTableOf(partition)](partition, secrets);
}
