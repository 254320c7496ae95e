import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CONSTRAINTS } from '../../src/audit/verify/guards/constraints.js';
import { REQUIRED } from '../../src/audit/verify/guards/required.js';
import { RIGHTS } from '../../src/audit/verify/guards/rights.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { makePaymentsLedger } from '../support/payments-ledger.js';
import { recomputeHashes } from '../support/tamper.js';
import { COLUMNS, MEANING } from './tampering/events.js';
import { LOG, REWRITTEN } from './tampering/log.js';
import { FOLLOWERS, NOT_HELD } from './tampering/others.js';
import { FEWER, REGISTRY, TRANSACTIONS } from './tampering/rows.js';
import { SAGAS } from './tampering/sagas.js';
import type { Tampering, TamperingGroup } from './tampering/tampering.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;

copyForEach((given) => ({ ledger, copy, partition } = given), makePaymentsLedger);

/** Rows of the page's table: each table, and its columns that are not compared. */
const page = readFileSync('docs/auditing.md', 'utf8').split('## What is compared with what')[1]!.split('\n## ')[0]!;
const names = (cell: string) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!);
const held = new Map(
  page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, tables, , not] = line.split('|');
      return names(tables!).map((table) => [table, names(not!)] as const);
    }),
);
const notHeld = new Set(
  [...held].flatMap(([table, columns]) => columns.map((column) => (column === 'all' ? table : `${table}.${column}`))),
);

/** In one verification: none of the checks of the one looks at what is changed for the other. */
const REGISTRY_AND_FOLLOWERS: TamperingGroup = {
  name: `${REGISTRY.name}, and ${FOLLOWERS.name}`,
  ways: [...REGISTRY.ways, ...FOLLOWERS.ways],
  guards: FOLLOWERS.guards,
};

const GROUPS: readonly TamperingGroup[] = [
  COLUMNS,
  MEANING,
  REGISTRY_AND_FOLLOWERS,
  TRANSACTIONS,
  FEWER,
  SAGAS,
  ...LOG,
  ...REWRITTEN,
];
const waysOf = ({ ways, guards = [] }: TamperingGroup) => [...ways, ...guards];
const titleOf = ({ name, guards }: TamperingGroup) => (guards ? `${name}; and guards of the log` : name);

/** For tables whose rows move when they change: the place of each row before. */
async function rememberRows(ways: readonly Tampering[]): Promise<void> {
  const tables = new Set(ways.flatMap(({ how }) => /from (\w+)_before/.exec(String(how))?.[1] ?? []));
  for (const table of tables) {
    await copy.query(`create temp table ${table}_before as select ctid as place, * from ${table}`);
    await copy.query(`alter table ${table}_before rename column place to "ctid_before"`);
  }
}

/** Where it must be found, as far as it is known. */
interface Place {
  readonly at?: string;
  readonly partition?: number;
  readonly key?: string;
}

async function tamper({ how }: Tampering): Promise<Place> {
  let rows: Place[] = [];
  for (const text of [how].flat()) {
    const sql = text
      .replaceAll(/:p\b/g, String(partition))
      .replaceAll(/:size\b/g, String(ledger.size))
      .replaceAll(/:sealed\b/g, String(ledger.sealed))
      .replaceAll(/:partner\b/g, ledger.partner.uid)
      .replaceAll(/:a\b/g, ledger.partner.accounts[0]!)
      .replaceAll(/select ctid from (\w+_before)/g, 'select ctid_before from $1');
    rows = await copy.query(sql);
  }
  return rows[0] ?? {};
}

interface Found {
  readonly check: string;
  readonly partition: number;
  readonly position: string | null;
  readonly subject: string | null;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

const messageOf = ({ field, subject, expected, found }: Found) =>
  `${field} of ${subject}: expected ${expected}, found ${found}`;

function assertFound(found: readonly Found[], { what, by, message }: Tampering, { at, partition, key }: Place) {
  const its = found.filter(
    (one) =>
      one.check === by &&
      message.test(messageOf(one)) &&
      (at === undefined || one.position === String(at)) &&
      (partition === undefined || one.partition === partition) &&
      (key === undefined || one.subject?.includes(key)),
  );
  if (its.length > 0) return;
  const near = found.filter(({ check }) => check === by).map((one) => `${one.position} ${messageOf(one)}`);
  const where = `at ${at} of partition ${partition}, ${key}`;
  throw new Error(`not found: ${what} (${by} ${String(message)} ${where}); instead ${near.join('\n')}`);
}

describe('ledger verify finds', () => {
  it.each(GROUPS.map((group) => [titleOf(group), group] as const))('%s', async (_title, group) => {
    const { ways, guards = [], rehashed } = group;
    await rememberRows(ways);
    const places: Place[] = [];
    await copy.query('alter table event disable trigger all');
    for (const one of ways) places.push(await tamper(one));
    await copy.query('alter table event enable trigger all');
    for (const one of guards) places.push(await tamper(one));
    if (rehashed) {
      for (const forged of [0, partition]) await recomputeHashes(copy, forged);
      await copy.query('delete from tree_node');
    }
    const { code, report } = await copy.verify('--deep');
    expect(code).toBe(1);
    waysOf(group).forEach((one, i) => assertFound(report.divergences, one, places[i]!));
  });

  it('150 ways, and more', () => {
    const ways = GROUPS.flatMap(waysOf);
    expect(new Set(ways.map(({ how, by }) => `${by} ${String(how)}`)).size).toBeGreaterThanOrEqual(150);
  });
});

describe('what the log does not contain', () => {
  it('is listed in docs/auditing.md, and not found', async () => {
    for (const [column, how] of NOT_HELD) {
      expect(notHeld).toContain(column);
      await copy.query(how);
    }
    const { report } = await copy.verify('--deep');
    expect(report.divergences).toEqual([]);
  });
});

describe('the table of docs/auditing.md', () => {
  it('has every table of the database, and no others', async () => {
    const tables = await copy.query<{ name: string; columns: string[] }>(
      `select case when table_schema = 'public' then '' else table_schema || '.' end || table_name as name,
         array_agg(column_name::text) as columns
       from information_schema.columns where table_schema in ('public', 'sandbox') group by 1`,
    );
    expect([...held.keys()].sort()).toEqual([...tables.map(({ name }) => name), 'account_number'].sort());
    const columns = new Set(tables.flatMap(({ name, columns }) => [name, ...columns.map((one) => `${name}.${one}`)]));
    expect([...notHeld].filter((one) => !columns.has(one))).toEqual(['account_number']);
  });

  it('has the rights of the service in every one', async () => {
    const tables = [...held.keys()].filter((name) => !name.startsWith('sandbox.') && name !== 'account_number');
    expect(Object.keys(RIGHTS).sort()).toEqual(tables.sort());
  });

  it('has what is never null in every one', async () => {
    const tables = await copy.query<{ name: string; columns: string }>(
      `select attrelid::regclass::text as name, string_agg(attname, ' ' order by attnum) as columns from pg_attribute
       where attrelid = any($1::regclass[]) and attnum > 0 and attnotnull and not attisdropped group by 1`,
      [Object.keys(RIGHTS)],
    );
    expect(REQUIRED).toEqual(Object.fromEntries(tables.map(({ name, columns }) => [name, columns])));
  });

  it('has a key in every one', () => {
    expect(Object.keys(CONSTRAINTS).sort()).toEqual(Object.keys(RIGHTS).sort());
    for (const [first] of Object.values(CONSTRAINTS)) expect(first).toMatch(/^unique \([^)]*\)$/);
  });
});
