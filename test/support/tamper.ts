import { appendLeaf, EMPTY_TREE, packPeaks, rootOf, type TreeState } from '../../src/event-store/log/merkle.js';
import { CarriedTexts, withTexts } from '../../src/event-store/log/carried-texts.js';
import { hashEvent } from '../../src/event-store/log/leaf.js';
import type { TestDatabase } from './database.js';
import type { LedgerCopy } from './ledger-fixture.js';

/**
 * What an attacker who owns the database can do: statements with the triggers switched off.
 */
export async function asOwner(copy: LedgerCopy, ...statements: readonly (readonly [string, unknown[]?])[]) {
  await copy.query('alter table event disable trigger all');
  for (const [text, values] of statements) await copy.query(text, values);
  await copy.query('alter table event enable trigger all');
}

/** What an attacker with the password of the service's role can do: it needs no right more than it has. */
export async function asService(database: TestDatabase, sql: string): Promise<void> {
  await database.query(`begin; set local role payments_service; ${sql}; commit`);
}

const asParameter = (value: unknown) => (value && typeof value === 'object' ? JSON.stringify(value) : value);

/** Changes a row, as that role may; what it returns puts it back. */
export async function changeRow(
  database: TestDatabase,
  table: string,
  key: string,
  columns: Record<string, unknown>,
): Promise<() => Promise<unknown>> {
  const names = Object.keys(columns);
  const id = table === 'partner' || table === 'account' ? 'uid' : 'id';
  const [before] = await database.query(`select ${names.join(', ')} from ${table} where ${id} = $1`, [key]);
  const set = (values: Record<string, unknown>) =>
    database.query(`update ${table} set ${names.map((name, n) => `${name} = $${n + 2}`).join(', ')} where ${id} = $1`, [
      key,
      ...names.map((name) => asParameter(values[name])),
    ]);
  await set(columns);
  return () => set(before!);
}

/** Makes leaves, root and peaks of a partition fit its rows as they stand: a forger who knows the format. */
export async function recomputeHashes(copy: LedgerCopy, partition: number): Promise<void> {
  const stored = await copy.query(
    withTexts(`
      select partition, position, event_id as id, stream, version, type, schema_version as "schemaVersion", time,
        data::text as data, metadata::text as metadata, ahead
      from event where partition = $1`),
    [partition],
  );
  const texts = new CarriedTexts(stored);
  const rows = stored.map((row) => ({ ...row, ...texts.of(row) })) as typeof stored;
  let tree: TreeState = EMPTY_TREE;
  const leaves: Buffer[] = [];
  for (const row of rows) {
    const leaf = hashEvent({ ...(row as any), position: BigInt(row.position) });
    leaves.push(leaf);
    tree = appendLeaf(tree, leaf);
  }
  await asOwner(copy, [
    `update event e set leaf = n.leaf
     from unnest($2::bigint[], $3::bytea[]) as n (position, leaf)
     where e.partition = $1 and e.position = n.position and e.leaf <> n.leaf`,
    [partition, rows.map((row) => row.position), leaves],
  ]);
  const time = rows.at(-1)?.time ?? new Date(0);
  await copy.query('update log_head set position = $2, root = $3, peaks = $4, time = $5 where partition = $1', [
    partition,
    rows.length,
    rootOf(tree),
    packPeaks(tree.peaks),
    time,
  ]);
}
