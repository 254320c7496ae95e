import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { RIGHTS } from '../../src/audit/verify/rights.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { makePaymentsLedger } from '../support/payments-ledger.js';
import { recomputeHashes } from '../support/tamper.js';
import { COLUMNS, MEANING } from './tampering/events.js';
import { LOG, REWRITTEN } from './tampering/log.js';
import { FOLLOWERS, FUNCTION, GUARDS, NOT_HELD, SAGAS, UNREFUSED } from './tampering/others.js';
import { FEWER, REGISTRY, TRANSACTIONS } from './tampering/rows.js';
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

const GROUPS: readonly TamperingGroup[] = [
  COLUMNS,
  MEANING,
  REGISTRY,
  TRANSACTIONS,
  FEWER,
  SAGAS,
  FOLLOWERS,
  GUARDS,
  ...UNREFUSED,
  FUNCTION,
];

/** For tables whose rows move when they change: the place of each row before. */
async function rememberRows(ways: readonly Tampering[]): Promise<void> {
  const tables = new Set(ways.flatMap(({ how }) => /from (\w+)_before/.exec(String(how))?.[1] ?? []));
  for (const table of tables) {
    await copy.query(`create temp table ${table}_before as select ctid as place, * from ${table}`);
    await copy.query(`alter table ${table}_before rename column place to "ctid_before"`);
  }
}

async function tamper({ how }: Tampering): Promise<{ at?: string; key?: string }> {
  let rows: { at?: string; key?: string }[] = [];
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

async function withoutTriggers(work: () => Promise<void>): Promise<void> {
  await copy.query('alter table event disable trigger all');
  await work();
  const [left] = await copy.query(`select count(*)::int as left from pg_trigger where tgname = 'event_is_append_only'`);
  if (left!.left === 1) await copy.query('alter table event enable trigger event_is_append_only');
}

interface Found {
  readonly check: string;
  readonly position: string | null;
  readonly subject: string | null;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

const messageOf = ({ field, subject, expected, found }: Found) =>
  `${field} of ${subject}: expected ${expected}, found ${found}`;

function assertFound(
  found: readonly Found[],
  { what, by, message }: Tampering,
  { at, key }: { at?: string; key?: string },
) {
  const its = found.filter(
    (one) =>
      one.check === by &&
      message.test(messageOf(one)) &&
      (at === undefined || one.position === String(at)) &&
      (key === undefined || one.subject?.includes(key)),
  );
  if (its.length > 0) return;
  const near = found.filter(({ check }) => check === by).map((one) => `${one.position} ${messageOf(one)}`);
  throw new Error(`not found: ${what} (${by} ${String(message)} at ${at}, ${key}); instead ${near.join('\n')}`);
}

describe('ledger verify finds', () => {
  it.each(GROUPS.map((group) => [group.name, group] as const))('%s', async (_name, { ways, rehashed }) => {
    await rememberRows(ways);
    const places: { at?: string; key?: string }[] = [];
    await withoutTriggers(async () => {
      if (GUARDS.ways === ways) await copy.query('alter table event enable trigger all');
      for (const one of ways) places.push(await tamper(one));
    });
    if (rehashed) await recomputeHashes(copy, partition);
    const { code, report } = await copy.verify('--deep');
    expect(code).toBe(1);
    ways.forEach((one, i) => assertFound(report.divergences, one, places[i]!));
  });

  it('150 ways, and more', () => {
    const ways = [...GROUPS.flatMap(({ ways }) => ways), ...LOG, ...REWRITTEN];
    expect(new Set(ways.map(({ how, by }) => `${by} ${String(how)}`)).size).toBeGreaterThanOrEqual(150);
  });

  it.each(LOG.map((one) => [one.what, one] as const))('%s', async (_what, one) => {
    let place = {};
    await withoutTriggers(async () => void (place = await tamper(one)));
    const { report } = await copy.verify();
    assertFound(report.divergences, one, place);
  });

  it.each(REWRITTEN.map((one) => [one.what, one] as const))('rewritten with all hashes: %s', async (_what, one) => {
    await withoutTriggers(async () => void (await tamper(one)));
    await recomputeHashes(copy, partition);
    await copy.query('delete from tree_node');
    const { report } = await copy.verify();
    assertFound(report.divergences, one, {});
  });
});

describe('what the log does not contain', () => {
  it('is listed in docs/auditing.md, and not found', async () => {
    for (const [column, how] of NOT_HELD) {
      expect(notHeld).toContain(column);
      await copy.query(how);
    }
    const { report } = await copy.verify();
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
});
