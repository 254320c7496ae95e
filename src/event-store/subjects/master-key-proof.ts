import type { Queryable } from '../../platform/database/index.js';
import { PersonalDataCodec } from './personal-data-codec.js';
import { SECRET_TABLES } from './secret-tables.js';
import { parseSubjectKey } from './subject-keys.js';

/** Rows that are tried of each table: a damaged one is no proof against the key. */
const TRIED = 20;
/** A secret of this size may be a keyed hash of an older version, which needs no master key. */
const HASH_BYTES = 32;

/** Whether the master key opens a subject's key or a secret, or there is neither. */
export async function provesMasterKey(database: Queryable, key: Buffer): Promise<boolean> {
  const codec = new PersonalDataCodec(key);
  const keys = await database.query({
    text: `select subject, lookup, wrapped_key from subject_key limit ${TRIED}`,
    values: [],
  });
  const opened = keys.map((row) => succeeds(() => codec.unwrap(parseSubjectKey(row))));
  for (const table of SECRET_TABLES) {
    const secrets = await database.query<{ id: string; value: Buffer }>({
      text: `select id, value from ${table} limit ${TRIED}`,
      values: [],
    });
    for (const { id, value } of secrets) {
      if (value.length !== HASH_BYTES) opened.push(succeeds(() => codec.openSecret(id, value)));
    }
  }
  return opened.length === 0 || opened.includes(true);
}

function succeeds(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
