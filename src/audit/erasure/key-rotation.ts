import type { Client, QueryResultRow } from 'pg';
import {
  assertKeys,
  fingerprintOf,
  LOOKUP_KEY,
  PersonalDataCodec,
  SECRET_TABLES,
  type SecretTable,
} from '../../event-store/index.js';
import { type Database, ownerClient } from '../../platform/database/index.js';
import { CommandRefused } from '../errors.js';

const PAGE = 1_000;
/** Of commands that open sealed values: a rotation does not run beside them. */
const KEY_IN_USE = 'ledger key in use';
/** Length of a keyed hash, which needs no master key and is left as it is; also of a sealed secret of four bytes. */
const HASH_BYTES = 32;

export interface Rotation {
  readonly subjectKeys: number;
  readonly secrets: number;
}

/** Runs what opens sealed values: a rotation is refused meanwhile, as beside a service. */
export async function besideNoRotation<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const client = ownerClient(databaseUrl, KEY_IN_USE);
  try {
    await client.connect();
    // The URL may give another name.
    await client.query(`select set_config('application_name', '${KEY_IN_USE}', false)`);
    return await work();
  } finally {
    await client.end();
  }
}

/**
 * Runs what does nothing under another key than the present one: a rotation is refused meanwhile, and one that goes on
 * is waited for.
 * @throws WrongKey
 */
export function whileKeyStays(
  { database, databaseUrl, masterKey }: { database: Database; databaseUrl: string; masterKey: Buffer },
  work: () => Promise<void>,
): Promise<void> {
  return besideNoRotation(databaseUrl, async () => {
    await assertKeys(database, { MASTER_KEY: masterKey });
    await work();
  });
}

/**
 * Wraps everything that the master key protects with another one, in one transaction: subject keys, secrets that are
 * read back, the key of look-ups. Events do not change: they are sealed with the subjects' own keys.
 * @throws CommandRefused while a service is connected: it would go on wrapping with the old key; WrongKey
 */
export async function rotateMasterKey(
  databaseUrl: string,
  current: PersonalDataCodec,
  { oldKey, newKey }: { readonly oldKey: Buffer; readonly newKey: Buffer },
): Promise<Rotation> {
  const next = new PersonalDataCodec(newKey);
  const client = ownerClient(databaseUrl, 'ledger rotation');
  await client.connect();
  try {
    await assertAlone(client);
    await client.query('begin');
    await client.query(
      'lock table subject_key, secret, registry_secret, setting_fingerprint in share row exclusive mode',
    );
    // Another rotation may have ended while this one waited for the locks.
    await assertKeys(
      {
        query: async <Row extends QueryResultRow>({ text, values }: { text: string; values?: readonly unknown[] }) =>
          (await client.query<Row>(text, values && [...values])).rows,
      },
      { MASTER_KEY: oldKey },
    );
    const subjectKeys = await rewrap(client, 'subject_key', 'subject', 'wrapped_key', (id, wrapped) =>
      next.wrap(id, current.unwrap({ id, wrapped, lookup: Buffer.alloc(0) })),
    );
    let secrets = 0;
    for (const table of SECRET_TABLES) {
      secrets += await rewrap(client, table, 'id', 'value', (id, value) => {
        const secret = opened(current, id, value);
        return secret === undefined ? undefined : next.sealSecret(id, secret);
      });
    }
    await client.query(
      `insert into setting_fingerprint (name, fingerprint)
       select n.name, n.fingerprint from unnest($1::text[], $2::bytea[]) as n (name, fingerprint)
       on conflict (name) do update set fingerprint = excluded.fingerprint`,
      [
        ['MASTER_KEY', LOOKUP_KEY],
        [fingerprintOf('MASTER_KEY', newKey), current.wrapLookupKey(next)],
      ],
    );
    // A service that starts from now on waits for these locks to compare its key, and finds the new one.
    await assertAlone(client);
    await client.query('commit');
    return { subjectKeys, secrets };
  } finally {
    // Ending the connection rolls back what was not committed.
    await client.end();
  }
}

/** @returns `undefined` for a hash: it does not authenticate as GCM ciphertext */
function opened(codec: PersonalDataCodec, id: string, value: Buffer): string | undefined {
  try {
    return codec.openSecret(id, value);
  } catch (error) {
    if (value.length === HASH_BYTES) return undefined;
    throw error;
  }
}

const CONNECTED = `
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name in ('payments lane', 'payments news', '${KEY_IN_USE}')`;

/** Lanes connect to the nodes of their partitions, so those are asked too. A node that does not answer may have one. */
async function assertAlone(client: Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(CONNECTED);
  const { rowCount: isCitus } = await client.query(`select from pg_extension where extname = 'citus'`);
  const { rows: nodes } = isCitus
    ? await client.query<{ result: string }>('select result from run_command_on_workers($1)', [CONNECTED])
    : { rows: [] };
  if (rows[0]!.count > 0 || nodes.some(({ result }) => result !== '0'))
    throw new CommandRefused(
      'A service, or a command that opens sealed values, is connected to this database. Stop all of them first.',
    );
}

async function rewrap(
  client: Client,
  table: 'subject_key' | SecretTable,
  key: string,
  column: string,
  change: (id: string, box: Buffer) => Buffer | undefined,
): Promise<number> {
  let after: [number, string] = [-1, '00000000-0000-0000-0000-000000000000'];
  let count = 0;
  for (;;) {
    const { rows } = await client.query<{ partition: number; id: string; box: Buffer }>(
      `select partition, ${key} as id, ${column} as box from ${table}
       where (partition, ${key}) > ($1, $2::uuid) order by partition, ${key} limit ${PAGE}`,
      after,
    );
    const changed = rows.flatMap(({ partition, id, box }) => {
      const made = change(id, box);
      return made ? [{ partition, id, made }] : [];
    });
    await client.query(
      `update ${table} t set ${column} = n.box
       from unnest($1::int[], $2::uuid[], $3::bytea[]) as n (partition, id, box)
       where t.partition = n.partition and t.${key} = n.id`,
      [changed.map(({ partition }) => partition), changed.map(({ id }) => id), changed.map(({ made }) => made)],
    );
    count += changed.length;
    if (rows.length < PAGE) return count;
    after = [rows.at(-1)!.partition, rows.at(-1)!.id];
  }
}
