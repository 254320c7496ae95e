import type { QueryResultRow } from 'pg';
import type { Batch, Head } from './batch.js';
import type { SecretToStore } from './command.js';
import type { Statement } from './inline-projection.js';
import { packPeaks, rootOf, unpackPeaks } from './merkle.js';
import type { SubjectKey } from './personal-data.js';

/** Every statement of a batch but those of the projections. `log_head` is joined so that a distributed
 * database routes an insert by its partition. */

/** Takes the head's lock. An update, not `for update`: that alone did not hold through an online shard move. */
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

export function parseHead(row: QueryResultRow): Head {
  return {
    tree: { size: BigInt(row.position as string), peaks: unpackPeaks(row.peaks as Buffer) },
    time: row.time as Date,
    corrections: row.corrections as number,
  };
}

/** Fails with `HEAD_HAS_MOVED` when the partition's head is not where it was: then all that follows is skipped. */
export function assertHead(partition: number, head: Head): Statement {
  return {
    name: 'log-assert-head',
    text: `
      select 1 / count(*) from log_head
      where partition = $1 and position = $2 and root = $3 and corrections = $4`,
    values: [partition, head.tree.size, rootOf(head.tree), head.corrections],
  };
}

/** Moves the head on from where the batch found it, and takes its lock. Fails with `HEAD_HAS_MOVED` if it is not there. */
export function moveHead(partition: number, batch: Batch): Statement {
  return {
    name: 'log-move-head',
    text: `
      with moved as (
        update log_head set position = $5, root = $6, peaks = $7, time = $8
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

/** SQLSTATE of a division by zero: the one way to make a statement fail on what it counted. */
export const HEAD_HAS_MOVED = '22012';

export function insertEvents(partition: number, batch: Batch): Statement {
  const { appended } = batch;
  return {
    name: 'log-insert-events',
    text: `
      insert into event (partition, position, event_id, stream, version, type, schema_version, time, data, metadata, leaf)
      select h.partition, n.position, n.event_id, n.stream, n.version, n.type, n.schema_version, $11::timestamptz,
        n.data::json, n.metadata::json, n.leaf
      from log_head h,
        unnest($2::bigint[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::smallint[], $8::text[], $9::text[], $10::bytea[])
          as n (position, event_id, stream, version, type, schema_version, data, metadata, leaf)
      where h.partition = $1`,
    values: [
      partition,
      appended.map(({ row }) => row.position),
      appended.map(({ row }) => row.id),
      appended.map(({ row }) => row.stream),
      appended.map(({ row }) => row.version),
      appended.map(({ row }) => row.type),
      appended.map(({ row }) => row.schemaVersion),
      appended.map(({ row }) => row.data),
      appended.map(({ row }) => row.metadata),
      appended.map(({ leaf }) => leaf),
      batch.at,
    ],
  };
}

export function loadSubjectKeys(partition: number, lookups: readonly Buffer[]): Statement {
  return {
    name: 'subject-key-load',
    text: `
      select subject, lookup, wrapped_key from subject_key
      where partition = $1 and lookup = any($2::bytea[])`,
    values: [partition, lookups],
  };
}

export function parseSubjectKey(row: QueryResultRow): SubjectKey {
  return { id: row.subject as string, lookup: row.lookup as Buffer, wrapped: row.wrapped_key as Buffer };
}

export function insertSubjectKeys(partition: number, keys: readonly SubjectKey[]): Statement {
  return {
    name: 'subject-key-insert',
    text: `
      insert into subject_key (partition, subject, lookup, wrapped_key)
      select h.partition, n.subject, n.lookup, n.wrapped_key
      from log_head h, unnest($2::uuid[], $3::bytea[], $4::bytea[]) as n (subject, lookup, wrapped_key)
      where h.partition = $1`,
    values: [partition, keys.map((key) => key.id), keys.map((key) => key.lookup), keys.map((key) => key.wrapped)],
  };
}

export function insertSecrets(partition: number, secrets: readonly SecretToStore[]): Statement {
  return {
    name: 'secret-insert',
    text: `
      insert into secret (partition, id, value)
      select h.partition, n.id, n.value
      from log_head h, unnest($2::uuid[], $3::bytea[]) as n (id, value)
      where h.partition = $1`,
    values: [partition, secrets.map((secret) => secret.id), secrets.map((secret) => secret.value)],
  };
}
