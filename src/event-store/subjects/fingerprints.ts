import { hkdfSync } from 'node:crypto';
import type { Secrets } from '../../platform/config/index.js';
import type { Queryable } from '../../platform/database/index.js';
import { provesMasterKey } from './master-key-proof.js';

const OTHER_KEY = 'this database was used with another key. Start with that one, or with another database.';

/** The database was filled under another key than this process has, or nothing shows that it was filled under this. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey';

  constructor(setting: string, why = OTHER_KEY) {
    super(`${setting}: ${why}`);
  }
}

/** Whether what is stored was made under a key, or nothing that depends on it is stored. */
type ProvesKey = typeof provesMasterKey;

/** The fingerprint of a key, kept in the database. @param name of its setting */
export function fingerprintOf(name: string, key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `fingerprint of ${name}`, 32));
}

/** The keys that have a fingerprint, by the name of their setting. */
export function fingerprinted({ keyPepper, masterKey }: Pick<Secrets, 'keyPepper' | 'masterKey'>) {
  return { KEY_PEPPER: keyPepper, MASTER_KEY: masterKey };
}

/**
 * Compares keys with their fingerprints in the database. A fingerprint reveals nothing of its key. A database without
 * events stores those of the first process; in any other a key whose fingerprint is gone must prove itself first.
 * @param keys by the name of their setting
 * @param others proofs of keys, by the same name; that of the master key is known here
 * @throws WrongKey
 */
export async function assertKeys(
  database: Queryable,
  keys: Readonly<Record<string, Buffer>>,
  others: Readonly<Record<string, ProvesKey>> = {},
): Promise<void> {
  const proofs: typeof others = { MASTER_KEY: provesMasterKey, ...others };
  for (const [name, key] of Object.entries(keys)) {
    const fingerprint = fingerprintOf(name, key);
    let kept = await read(database, name);
    if (!kept) {
      if (!(await isNew(database)) && !(await proofs[name]?.(database, key))) throw unproven(name, fingerprint);
      await database.query({
        text: 'insert into setting_fingerprint (name, fingerprint) values ($1, $2) on conflict (name) do nothing',
        values: [name, fingerprint],
      });
      // A statement of its own: the one above does not see the row of a process that starts at the same moment.
      kept = await read(database, name);
    }
    if (!kept?.equals(fingerprint)) throw new WrongKey(name);
  }
}

/** Whether the database was used with a key last. @param name of its setting */
export async function wasUsedWith(database: Queryable, name: string, key: Buffer): Promise<boolean> {
  return (await read(database, name))?.equals(fingerprintOf(name, key)) === true;
}

/** The insert of no row takes the lock for which a rotation of the master key lets others wait until it has ended. */
async function read(database: Queryable, name: string): Promise<Buffer | undefined> {
  const [row] = await database.query<{ fingerprint: Buffer }>({
    text: `
      with waiting as (
        insert into setting_fingerprint (name, fingerprint)
        select name, fingerprint from setting_fingerprint where false
      )
      select fingerprint from setting_fingerprint where name = $1`,
    values: [name],
  });
  return row?.fingerprint;
}

async function isNew(database: Queryable): Promise<boolean> {
  const any = { name: 'event-of-any-partition', text: 'select partition from event limit 1', values: [] };
  return (await database.query(any)).length === 0;
}

/**
 * It has the statement: who knows that the key is right, while all rows that were tried are damaged, needs a way on.
 */
function unproven(name: string, fingerprint: Buffer): WrongKey {
  const row = `('${name}', '\\x${fingerprint.toString('hex')}')`;
  return new WrongKey(
    name,
    'its fingerprint is gone from the database, and nothing that was tried there proves this key. Start with the key ' +
      'that the database was used with. Only if this is certainly that one, give its fingerprint back: ' +
      `insert into setting_fingerprint (name, fingerprint) values ${row};`,
  );
}
