import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { runLedger } from '../support/ledger-fixture.js';
import { startService } from '../support/service.js';

/** `ledger distribute`, on databases in which no extension stands yet, whatever server the tests have. */

let database: TestDatabase;
let filled: TestDatabase;
let hasCitus: boolean;

beforeAll(async () => {
  database = await createDatabase({ template: 'template0' });
  filled = await createDatabase({ template: 'template0' });
  const service = await startService(filled.url);
  await new OperatorApi(service.url).partner(['1.00']);
  await service.stop();
  const rows = await database.query(`select from pg_available_extensions where name = 'citus'`);
  hasCitus = rows.length > 0;
});

afterAll(async () => {
  await database?.drop();
  await filled?.drop();
});

const distribute = (...args: string[]) => runLedger(['distribute', ...args], { DATABASE_URL: database.url });
const tables = () => database.query(`select from pg_tables where schemaname = 'public' and tablename = 'event'`);

describe('ledger distribute', () => {
  it('prints all of its SQL without a database', async () => {
    const { code, stdout, stderr } = await runLedger(['distribute', '--dry-run'], {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('create extension citus;\n');
    expect(stdout).toContain(`select create_reference_table('public.partner');\n`);
    expect(stdout).toContain(
      `select create_distributed_table('public.event', 'partition', colocate_with => 'public.log_head');\n`,
    );
    expect(stdout).toMatch(/begin;\nset local citus\.multi_shard_modify_mode to 'sequential';\n[^]*\ncommit;\n$/);
  });

  it('needs the name of a database to do it; `ledger placement` does too', async () => {
    for (const { code, stderr } of await Promise.all([runLedger(['distribute'], {}), runLedger(['placement'], {})])) {
      expect(code).toBe(2);
      expect(stderr).toMatch(/^DATABASE_URL: must name a database/);
    }
  });

  it('changes nothing when it only prints', async () => {
    const { code, stdout } = await distribute('--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain(`select create_distributed_table('public.log_head'`);
    expect(await tables()).toEqual([]);
  });

  it('is refused clearly where the server has no Citus, and changes nothing; else it is done, and done once', async () => {
    const first = await distribute();
    if (!hasCitus) {
      expect(first).toMatchObject({ code: 2, stdout: '' });
      expect(first.stderr).toMatch(/^The extension citus is not available on this server\./);
      expect(await tables()).toEqual([]);
      return;
    }
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe('Done: 20 tables in shards by partition, 5 whole on every node.\n');
    const second = await distribute();
    expect(second.stdout).toBe(first.stdout.replace('Done', 'Nothing was left to be done'));
  });

  it('is refused for a database that holds events and is not distributed, unless its rows are to be moved', async () => {
    const { code, stdout, stderr } = await runLedger(['distribute'], { DATABASE_URL: filled.url });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^This database holds events and is not distributed\..*--move/);
    const printed = await runLedger(['distribute', '--dry-run'], { DATABASE_URL: filled.url });
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout).toContain('tables with rows: only with --move');
    expect(await filled.query(`select from pg_extension where extname = 'citus'`)).toEqual([]);
  });
});
