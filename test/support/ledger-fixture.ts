import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach } from '@jest/globals';
import pg from 'pg';
import { OperatorApi, PartnerApi, type TestPartner } from './api.js';
import { CLUSTER, createDatabase, type TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { type CliResult, runLedger } from './ledger-cli.js';
import { onceForTheRun } from './once-for-the-run.js';
import { startService } from './service.js';

export { type CliResult, runLedger } from './ledger-cli.js';

/** A database, the data folder that belongs to it, and the CLI over both. */
export interface LedgerCopy {
  readonly url: string;
  readonly dataDir: string;
  /** Settings of a service or command over this copy. */
  readonly env: Record<string, string>;
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Runs the built `ledger` with these arguments. */
  ledger(args: readonly string[], env?: Record<string, string>): Promise<CliResult>;
  /** `ledger verify --json`. @throws what it said where it could not verify */
  verify(...args: readonly string[]): Promise<{ readonly code: number; readonly report: any }>;
  /** Position of the n-th settled transfer, from 0. */
  transferAt(n: number): Promise<number>;
  drop(): Promise<void>;
}

/** A ledger that nobody changes any more. */
interface Made {
  readonly url: string;
  readonly dataDir: string;
  readonly partner: TestPartner;
  /** Partition of the partner's money. */
  readonly partition: number;
  /** Events of that partition under a signed checkpoint, and all of them. */
  readonly sealed: number;
  readonly size: number;
}

export interface LedgerFixture extends Made {
  /** A copy of the database and of the folder, to be tampered with. */
  copy(): Promise<LedgerCopy>;
}

type Fill = (url: string, partner: TestPartner, database: TestDatabase) => Promise<unknown>;

/**
 * A ledger with a partner, three accounts, credits and transfers with and without idempotency keys and
 * descriptions. The last few events were appended after the newest checkpoint. No service is running. It is made once
 * for all test files of a run.
 * @param name of what it is filled with
 * @param fill does more, before the newest checkpoint
 */
export async function makeLedger(name = 'transfers', fill: Fill = () => Promise.resolve()): Promise<LedgerFixture> {
  const made = await onceForTheRun(`ledger-of-${name}`, () => make(fill));
  return { ...made, copy: () => copyOf(made) };
}

async function make(fill: Fill): Promise<Made> {
  const database = await createDatabase();
  const dataDir = await mkdtemp(join(process.env.TEST_RUN_FOLDER!, 'ledger-'));
  const env = { DATA_DIR: dataDir, CHECKPOINT_DIR: join(dataDir, 'checkpoints') };
  const first = await startService(database.url, { ...env, CHECKPOINT_INTERVAL_SECONDS: '1' });
  const operator = new OperatorApi(first.url);
  const partner = await operator.partner(['1000.00', '500.00', '0.00']);
  await operator.partner(['0.00']);
  await transfers(first.url, partner, 20);
  await fill(first.url, partner, database);
  const partition = Number.parseInt(partner.accounts[0]!.slice(15, 18), 16);
  const head = async () =>
    Number((await database.query('select position from log_head where partition = $1', [partition]))[0]!.position);
  const newest = async () =>
    Number(
      (await database.query('select max(size) as size from checkpoint where partition = $1', [partition]))[0]!.size,
    );
  const sealed = await eventually(async () => (await head()) === (await newest()) && head());
  await first.kill('SIGTERM');
  const second = await startService(database.url, { ...env, CHECKPOINT_INTERVAL_SECONDS: '86400' });
  // Its first round of signing must be over, so that what follows stays unsealed.
  await eventually(async () =>
    (await (await fetch(`${second.url}/metrics`)).text()).includes(
      `ledger_checkpoint_refused{partition="${partition}"} 0`,
    ),
  );
  await transfers(second.url, partner, 5);
  const size = await head();
  await eventually(async () => {
    const rows = await database.query(
      `select from subscription where partition = $1 and position < $2 and consumer <> 'tree-nodes'`,
      [partition, size],
    );
    return rows.length === 0;
  });
  await second.kill('SIGTERM');
  await database.release();
  await close(database.url);
  return { url: database.url, dataDir, partner, partition, sealed, size };
}

async function transfers(url: string, partner: TestPartner, count: number): Promise<void> {
  const api = await PartnerApi.login(url, partner.credentials);
  for (let i = 0; i < count; i++) {
    const to = partner.accounts[1 + (i % 2)]!;
    const body = {
      refAccountCredit: to,
      transferAmount: `${1 + i}.50`,
      ...(i % 3 === 0 && { transferDescription: `Rent ${i}` }),
    };
    const headers = i % 2 === 0 ? { 'idempotency-key': `key-${randomBytes(4).toString('hex')}` } : undefined;
    const answer = await api.post('/accounts/transfer', body, headers);
    if (answer.status !== 201) throw new Error(`transfer: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

async function copyOf({ url: original, dataDir, partition }: Made): Promise<LedgerCopy> {
  const name = `${process.env.TEST_RUN}_copy_${randomBytes(6).toString('hex')}`;
  const url = new URL(original);
  url.pathname = `/${name}`;
  for (const server of servers()) await runSql(server, [`create database ${name} template ${nameOf(original)}`]);
  const folder = await mkdtemp(join(tmpdir(), 'ledger-copy-'));
  await cp(dataDir, folder, { recursive: true });
  const pool = new pg.Pool({ connectionString: url.href, max: 1 });
  pool.on('error', () => undefined);
  const env = { DATA_DIR: folder, CHECKPOINT_DIR: join(folder, 'checkpoints') };
  const query = async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    (await pool.query<Row>(text, values)).rows;
  const ledger = (args: readonly string[], more: Record<string, string> = {}) =>
    runLedger(args, { DATABASE_URL: url.href, ...env, ...more });
  return {
    ...{ url: url.href, dataDir: folder, env, query, ledger },
    verify: async (...args) => {
      const { code, stdout, stderr } = await ledger(['verify', '--json', ...args]);
      if (code > 1) throw new Error(stderr);
      return { code, report: JSON.parse(stdout) };
    },
    transferAt: async (n) => {
      const rows = await query(
        `select position from event where partition = $1 and type = 'TransferSettled' order by position offset $2 limit 1`,
        [partition, n],
      );
      return Number(rows[0]!.position);
    },
    drop: async () => {
      await pool.end();
      for (const server of servers()) await runSql(server, [`drop database ${name} with (force)`]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const servers = () => CLUSTER?.servers ?? [process.env.TEST_POSTGRES_URL!];
const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** `create database … template` asks for an original that nobody uses. On a cluster the extension itself would. */
async function close(url: string): Promise<void> {
  for (const server of servers()) {
    await runSql(server, [
      `alter database ${nameOf(url)} allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(url)}'`,
    ]);
  }
}

async function runSql(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Gives every test of a file a copy of its own of one ledger. A file whose tests start services on it stops them in an
 * `afterEach` that stands before this: the copy goes after each test.
 */
export function copyForEach(
  give: (given: { ledger: LedgerFixture; copy: LedgerCopy; partition: number }) => void,
  make: () => Promise<LedgerFixture> = () => makeLedger(),
): void {
  let ledger: LedgerFixture;
  let copy: LedgerCopy;
  beforeAll(async () => {
    ledger = await make();
  }, 60_000);
  beforeEach(async () => {
    copy = await ledger.copy();
    give({ ledger, copy, partition: ledger.partition });
  });
  afterEach(() => copy.drop());
}
