import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { placements } from '../../migrations/placements.js';
import { migrate } from '../../src/platform/database/index.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  await migrate({ url: database.url, partitions: 1 });
});

afterAll(() => database.drop());

const distributed = Object.keys(placements).filter((table) => placements[table]!.kind === 'distributed');

/** Tables of ours: extensions bring their own, and a distributed database names shards after the table and a number. */
const OURS = `c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'citus', 'citus_internal')
  and n.nspname not like 'pg\\_toast%' and c.relname !~ '_\\d{6}$'
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`;

describe('where tables live on a distributed database', () => {
  it('is declared for every table of the migrations, and for no other', async () => {
    const tables = await database.query<{ name: string }>(`
      select n.nspname || '.' || c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS}`);
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(placements).sort());
  });

  it('is by partition for every table that has one, but for the registry', async () => {
    const tables = await database.query<{ name: string }>(`
      select n.nspname || '.' || c.relname as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'partition' and a.attnotnull
      where ${OURS}`);
    const registry = [
      'public.partner',
      'public.partner_tax_number',
      'public.access_key',
      'public.auditor',
      'public.reconciled_day',
      'public.reconciliation_case',
      'public.registry_secret',
    ];
    expect(tables.map(({ name }) => name).sort()).toEqual([...distributed, ...registry].sort());
  });

  it('leaves no primary or unique key of a distributed table without the partition, which leads it', async () => {
    const keys = await database.query<{ table: string; key: string; first: string }>(`
      select n.nspname || '.' || c.relname as table, k.relname as key, a.attname as first
      from pg_index i
      join pg_class c on c.oid = i.indrelid
      join pg_class k on k.oid = i.indexrelid
      join pg_namespace n on n.oid = c.relnamespace
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where ${OURS} and (i.indisunique or i.indisprimary or i.indisexclusion)`);
    const ofDistributed = keys.filter(({ table }) => distributed.includes(table));
    expect(new Set(ofDistributed.map(({ table }) => table)).size).toBe(distributed.length);
    expect(ofDistributed.filter(({ first }) => first !== 'partition')).toEqual([]);
  });

  it('gives a reason wherever it is not by partition', () => {
    for (const placement of Object.values(placements)) {
      if (placement.kind !== 'distributed') expect(placement.reason).not.toBe('');
    }
  });

  it('has no foreign key, so that tables are distributed in any order', async () => {
    expect(
      await database.query(`
      select k.conname from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and ${OURS}`),
    ).toEqual([]);
  });
});
