import { hkdfSync } from 'node:crypto';
import type { Secrets } from '../../platform/config/index.js';
import type { Queryable } from '../../platform/database/index.js';

/** The database was filled under another key than this process has. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey';

  constructor(setting: string) {
    super(`${setting}: this database was used with another key. Start with that one, or with another database.`);
  }
}

/** The fingerprint of a key, kept in the database. @param name of its setting */
export function fingerprintOf(name: string, key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `fingerprint of ${name}`, 32));
}

/** The keys that have a fingerprint, by the name of their setting. */
export function fingerprinted({ keyPepper, masterKey }: Pick<Secrets, 'keyPepper' | 'masterKey'>) {
  return { KEY_PEPPER: keyPepper, MASTER_KEY: masterKey };
}

/**
 * Compares keys with their fingerprints in the database; a new database stores those of the first process. A
 * fingerprint reveals nothing of its key.
 * @param keys by the name of their setting
 * @throws WrongKey
 */
export async function assertKeys(database: Queryable, keys: Readonly<Record<string, Buffer>>): Promise<void> {
  for (const [name, key] of Object.entries(keys)) {
    const fingerprint = fingerprintOf(name, key);
    await database.query({
      text: 'insert into setting_fingerprint (name, fingerprint) values ($1, $2) on conflict (name) do nothing',
      values: [name, fingerprint],
    });
    // A statement of its own: the one above does not see the row of a process that starts at the same moment.
    const [row] = await database.query<{ fingerprint: Buffer }>({
      text: 'select fingerprint from setting_fingerprint where name = $1',
      values: [name],
    });
    if (!row!.fingerprint.equals(fingerprint)) throw new WrongKey(name);
  }
}
