import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isSignedBy, parseVerifier } from '../../src/audit/checkpoints/note.js';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import {
  type CliResult,
  copyForEach,
  type LedgerCopy,
  type LedgerFixture,
  makeLedger,
  runLedger,
} from '../support/ledger-fixture.js';
import { type Service, startService } from '../support/service.js';
import { asOwner, recomputeHashes } from '../support/tamper.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let service: Service | undefined;
let partition: number;

/** A ledger for each test, which changes it before it starts a service. */
function toBeChanged(): void {
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  copyForEach((given) => ({ ledger, copy, partition } = given));
}

async function start(intervalSeconds = 1, env: Record<string, string> = {}): Promise<PartnerApi> {
  const settings = { ...copy.env, CHECKPOINT_INTERVAL_SECONDS: String(intervalSeconds), ...env };
  service = await startService(copy.url, settings);
  return PartnerApi.login(service.url, ledger.partner.credentials);
}

async function head(): Promise<number> {
  return Number((await copy.query('select position from log_head where partition = $1', [partition]))[0]!.position);
}

async function newest(): Promise<number> {
  const [row] = await copy.query('select max(size) as size from checkpoint where partition = $1', [partition]);
  return Number(row!.size);
}

/** The note outside the database, once it is of so many events. */
const outside = (size: number) =>
  eventually(async () => {
    const note = await readFile(join(copy.dataDir, 'checkpoints', `partition-${partition}.checkpoint`), 'utf8');
    return note.split('\n')[1] === String(size) && note;
  });

/** What `verifier-key` prints, by its settings: all copies have one key. */
const printed: Record<string, Promise<CliResult>> = {};

/** Whether the key of these settings has signed a note. */
async function isSigned(note: string, env: Record<string, string> = {}): Promise<boolean> {
  const { stdout } = await (printed[JSON.stringify(env)] ??= copy.ledger(['verifier-key'], env));
  const [vkey] = new RegExp(`\\S+/partition-${partition}\\+\\S+`).exec(stdout)!;
  return isSignedBy(note, parseVerifier(vkey));
}

async function covered(): Promise<number> {
  const [row] = await copy.query(`select position from subscription where partition = $1 and consumer = 'tree-nodes'`, [
    partition,
  ]);
  return Number(row?.position ?? 0);
}

const refused = async () =>
  (await (await fetch(`${service!.url}/metrics`)).text()).includes(
    `ledger_checkpoint_refused{partition="${partition}"} 1`,
  );

describe('signed checkpoints', () => {
  toBeChanged();

  it('wait for another process that extends their tree, and are signed then; the tree follows the log by itself', async () => {
    const other = new pg.Client({ connectionString: copy.url });
    await other.connect();
    await other.query('begin');
    await other.query(`select from subscription where consumer = 'tree-nodes' for update`);
    const api = await start(86_400);
    expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
    expect(await newest()).toBe(ledger.sealed);
    await other.query('rollback');
    await other.end();
    const signed = await eventually(async () => (await newest()) > ledger.sealed && newest());
    // The one of the start; the next is a day away.
    await eventually(async () => (await covered()) === ledger.size + 1);
    for (let i = 0; i < 40; i++) expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
    await eventually(async () => (await covered()) === ledger.size + 41);
    expect(await newest()).toBe(signed);
  }, 30_000);

  it('are refused, with an alert, after a rewrite of the history, while the service keeps running', async () => {
    await asOwner(copy, [
      `update event set metadata = replace(metadata::text, 'access-key:', 'access-kez:')::json
       where partition = $1 and position = (
         select min(position) from event where partition = $1 and type = 'TransferSettled')`,
      [partition],
    ]);
    await recomputeHashes(copy, partition);
    // The forger is thorough: stored nodes and the followers' checkpoints are deleted too, and the service rebuilds
    // them.
    await copy.query('delete from tree_node');
    await copy.query(`delete from subscription where consumer = 'tree-nodes'`);
    const api = await start();
    await eventually(refused);
    expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
    await eventually(() => (service!.output().match(/THE HISTORY WAS ALTERED/g)?.length ?? 0) >= 2);
    expect(await newest()).toBe(ledger.sealed);
  }, 30_000);

  it('are refused when signed events are missing at the end', async () => {
    await asOwner(copy, [`delete from event where partition = $1 and position >= $2`, [partition, ledger.sealed]]);
    await recomputeHashes(copy, partition);
    await start();
    await eventually(refused);
    expect(service!.output()).toContain('THE HISTORY WAS ALTERED');
    const { status, body } = await call(service!.url, 'GET', '/health/ready');
    expect([status, body.error.message]).toEqual([503, expect.stringContaining('history was altered')]);
  }, 30_000);

  it('are refused for an event that does not match its hash', async () => {
    await asOwner(copy, [
      `update event set metadata = '{"actor":"x"}' where partition = $1 and position = $2`,
      [partition, ledger.size],
    ]);
    // Which events the tree had reached when its process ended is a matter of milliseconds.
    await copy.query('delete from tree_node');
    await copy.query(`delete from subscription where consumer = 'tree-nodes'`);
    await start();
    await eventually(refused);
    expect(await newest()).toBe(ledger.sealed);
  }, 30_000);

  it.each([
    ['with the signature of another', (note: string) => note],
    ['with no text of one', () => 'nothing'],
  ])(
    'are not taken from a row of the database that nobody has signed, %s',
    async (_how, forge) => {
      const [row] = await copy.query(
        `select h.root, c.note from log_head h join checkpoint c using (partition)
       where partition = $1 order by size desc limit 1`,
        [partition],
      );
      const [origin, , , ...signature] = row!.note.split('\n');
      const note = forge([origin, ledger.size, row!.root.toString('base64'), ...signature].join('\n'));
      await copy.query('insert into checkpoint values ($1, $2, $3, $4, now())', [
        partition,
        ledger.size,
        row!.root,
        note,
      ]);
      const api = await start();
      expect(await isSigned(await outside(ledger.size))).toBe(true);
      expect(service!.output()).toContain('is not signed by the present key');
      expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
      const kept = await outside(ledger.size + 1);
      expect(await isSigned(kept)).toBe(true);
      await eventually(async () => (await newest()) === ledger.size + 1);
      const { report } = await copy.verify();
      expect(report.divergences).toMatchObject([{ check: 'checkpoint signatures', position: String(ledger.size) }]);
    },
    30_000,
  );

  it('go on with a new key, over those of the one before', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const env = { CHECKPOINT_SIGNING_KEY: der.toString('base64') };
    const api = await start(1, env);
    expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
    expect(await isSigned(await outside(ledger.size + 1), env)).toBe(true);
    await eventually(async () => (await newest()) === ledger.size + 1);
  }, 30_000);

  it('of a retired key verify where it is known, though no event came since', async () => {
    const { stdout: retired } = await copy.ledger(['verifier-key']);
    const { privateKey } = generateKeyPairSync('ed25519');
    const der = privateKey.export({ format: 'der', type: 'pkcs8' });
    const env = { CHECKPOINT_SIGNING_KEY: der.toString('base64'), CHECKPOINT_RETIRED_KEYS: retired };
    expect(await copy.ledger(['verify'], env)).toMatchObject({ code: 0 });
    await start(86_400, env);
    const { token } = await new OperatorApi(service!.url).post('/auditors', { name: 'Auditora' });
    const get = async (path: string) => (await call(service!.url, 'GET', `/audit/${path}`, { token })).body;
    const served: { note: string; vkey: string }[] = (await get(`checkpoints/${partition}`)).data.items;
    expect(served).not.toEqual([]);
    const exported = String(await get(`export?partition=${partition}`)).split('\n');
    served.push(JSON.parse(exported.find((line) => line.includes('"kind":"checkpoint"'))!));
    for (const { note, vkey } of served) expect(isSignedBy(note, parseVerifier(vkey))).toBe(true);
  }, 60_000);
});

describe('a service whose database lost the newest checkpoint', () => {
  let api: PartnerApi;

  beforeAll(async () => {
    ledger = await makeLedger();
    partition = ledger.partition;
    copy = await ledger.copy();
    await copy.query('delete from checkpoint where partition = $1 and size = $2', [partition, ledger.sealed]);
    api = await start();
  }, 60_000);
  afterAll(async () => {
    await service?.stop();
    service = undefined;
    await copy?.drop();
  });

  it('signs again, and restores it from the files where nothing follows it', async () => {
    const note = async () =>
      (await copy.query('select note from checkpoint where partition = $1 order by size desc limit 1', [partition]))[0]
        ?.note;
    await eventually(async () => (await newest()) === (await head()));
    const signed = await note();
    await copy.query('delete from checkpoint where partition = $1 and size = $2', [partition, await head()]);
    await eventually(async () => (await note()) === signed);
  });

  it('signs what follows, in the database and outside it, as verify finds', async () => {
    const before = await head();
    for (let i = 0; i < 40; i++) expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
    const size = await eventually(async () => (await newest()) === before + 40 && newest());
    const kept = await outside(Number(size));
    const [row] = await copy.query('select note from checkpoint where partition = $1 and size = $2', [partition, size]);
    expect(row!.note).toBe(kept);
    const { code, stdout } = await copy.ledger(['verify']);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('WARNING')]);
  }, 30_000);

  it('is verified while rows change: no divergence is found', async () => {
    let going = true;
    let made = 0;
    const traffic = Promise.all(
      [1, 2, 1, 2].map(async (to) => {
        // Not at full speed: `verify` has a low priority.
        for (; going; await setTimeout(20)) {
          expect((await api.transfer(ledger.partner.accounts[to]!, '1.00')).status).toBeLessThan(500);
          made += 1;
        }
      }),
    );
    try {
      for (let round = 0; round < 3; round++) {
        const { code, stdout } = await copy.ledger(['verify', '--budget', '20']);
        expect(stdout).toContain('OK: nothing diverges');
        expect(code).toBe(0);
      }
    } finally {
      going = false;
      await traffic;
    }
    expect(made).toBeGreaterThan(100);
  }, 60_000);
});

describe('checkpoints of several databases', () => {
  toBeChanged();

  it('are kept apart in one DATA_DIR', async () => {
    for (const used of [1, 2]) {
      const other = await createDatabase();
      const running = await startService(other.url, { DATA_DIR: copy.dataDir, CHECKPOINT_INTERVAL_SECONDS: '1' });
      try {
        await new OperatorApi(running.url).partner(used === 1 ? ['1.00', '2.00'] : []).catch(() => undefined);
        await eventually(async () => (await other.query('select from checkpoint')).length > 0);
        const folders = (await readdir(join(copy.dataDir, 'checkpoints'))).filter(
          (name) => !name.endsWith('.checkpoint'),
        );
        expect(folders).toHaveLength(used);
        expect(running.output()).not.toContain('ALTERED');
      } finally {
        await running.kill('SIGTERM');
        await other.drop();
      }
    }
  });
});

describe('a truncated history, copied into a new database', () => {
  toBeChanged();

  it('contradicts its checkpoint files: nothing is signed, no process is ready, verify reports it', async () => {
    const { CHECKPOINT_DIR: _unset, ...env } = copy.env;
    service = await startService(copy.url, { ...env, CHECKPOINT_INTERVAL_SECONDS: '1' });
    const api = await PartnerApi.login(service.url, ledger.partner.credentials);
    // The state to which the log is truncated, before the events to be lost.
    const past = await ledger.copy();
    try {
      for (let i = 0; i < 5; i++) expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
      await eventually(async () => (await newest()) === ledger.size + 5);
      await service.stop();
      const cut = { ...env, CHECKPOINT_INTERVAL_SECONDS: '1' };
      for (const role of ['all', 'api']) {
        service = await startService(past.url, { ...cut, ROLE: role });
        await eventually(async () => {
          const { status, body } = await call(service!.url, 'GET', '/health/ready');
          return status === 503 && body.error.message.includes('history was altered');
        });
        await service.stop();
      }
      const [row] = await past.query('select max(size) as size from checkpoint where partition = $1', [partition]);
      expect(Number(row!.size)).toBe(ledger.sealed);
      const { code, stdout } = await runLedger(['verify'], { ...cut, DATABASE_URL: past.url });
      expect(code).toBe(1);
      expect(stdout).toContain(`expected ${ledger.size + 5} events, as signed`);
    } finally {
      await past.drop();
    }
  }, 60_000);
});

describe('ledger verify without a checkpoint from outside the database', () => {
  toBeChanged();

  it('warns that a forged history would not be found', async () => {
    const nowhere = { CHECKPOINT_DIR: join(copy.dataDir, 'nowhere') };
    const { code, stdout } = await copy.ledger(['verify'], nowhere);
    expect(code).toBe(0);
    expect(stdout).toContain('WARNING: no checkpoint from outside the database was held against partition 0, ');
  });
});
