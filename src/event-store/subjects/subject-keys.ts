import type { QueryResultRow } from 'pg';
import type { Statement } from '../log/statement.js';
import { inserter } from '../projections/insert-rows.js';
import type { SubjectKey } from './personal-data-codec.js';

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

export const insertSubjectKeys = inserter<SubjectKey>('subject-key-insert', 'subject_key', [
  ['subject', 'uuid', (key) => key.id],
  ['lookup', 'bytea', (key) => key.lookup],
  ['wrapped_key', 'bytea', (key) => key.wrapped],
]);
