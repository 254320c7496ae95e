import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type LedgerCopy, type LedgerFixture, makeLedger, runLedger } from '../support/ledger-fixture.js';
import { asOwner, recomputeHashes } from '../support/tamper.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;

beforeAll(async () => {
  ledger = await makeLedger();
  partition = ledger.partition;
  copy = await ledger.copy();
}, 60_000);
afterAll(() => copy?.drop());

async function json(...args: string[]): Promise<any[]> {
  const { code, stdout, stderr } = await copy.ledger([...args, '--format', 'json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('ledger replay', () => {
  it('gives the balances at the end as the projection has them, without reading it', async () => {
    const rows = await copy.query(
      'select uid, available, held, entries from account where partition = $1 order by uid',
      [partition],
    );
    await copy.query('update account set available = 1 where partition = $1 and uid = $2', [
      partition,
      ledger.partner.accounts[0],
    ]);
    const balances = await json('replay', 'balances', '--partition', String(partition));
    expect(balances.map(({ account, available, entries }) => [account, available, Number(entries)])).toEqual(
      rows.map(({ uid, available, entries }) => [uid, (Number(available) / 100).toFixed(2), entries]),
    );
  });

  it('gives the balances at a position and at the moment of that position', async () => {
    const [event] = await copy.query(
      `select position, time from event where partition = $1 and type = 'TransferSettled' order by position offset 3 limit 1`,
      [partition],
    );
    const args = ['replay', 'balances', '--partition', String(partition)];
    const then = await json(...args, '--position', String(event!.position));
    const [source] = then.filter(({ account }) => account === ledger.partner.accounts[0]);
    // 1.50, 2.50, 3.50 and 4.50 were sent.
    expect(source).toMatchObject({ available: '988.00', lastPosition: event!.position });
    expect(await json(...args, '--moment', event!.time.toISOString())).toEqual(then);
  });

  it('shows the history of an account and of a transaction, as table and CSV too', async () => {
    const uid = ledger.partner.accounts[1]!;
    const history = await json('replay', 'account', uid);
    expect(history[0]).toMatchObject({ entry: '1', kind: 'Credit', amount: '500.00', balanceAfter: '500.00' });
    expect(history.map(({ entry }) => Number(entry))).toEqual(history.map((_line, i) => i + 1));
    const id = history.at(-1).transactionId;
    const story = await json('replay', 'transaction', id);
    expect(story).toMatchObject([{ event: 'TransferSettled', state: 'Completed' }]);
    const table = await copy.ledger(['replay', 'account', uid]);
    expect(table.stdout.split('\n')[0]).toMatch(/^entry +position +time +kind/);
    const csv = await copy.ledger(['replay', 'transaction', id, '--format', 'csv']);
    expect(csv.stdout.split('\r\n')[0]).toBe('position,time,event,state,actor,eventId,data');
    expect(csv.stdout.split('\r\n')[1]).toContain('"{""id"":""');
  });

  it('explains invalid arguments', async () => {
    expect(await copy.ledger(['replay', 'balances', '--position', '3'])).toMatchObject({ code: 2 });
    expect(await copy.ledger(['replay', 'account', 'nonsense'])).toMatchObject({ code: 2 });
    expect(await copy.ledger(['replay', 'balances', '--moment', 'yesterday'])).toMatchObject({ code: 2 });
  });
});

describe('ledger export and import --verify-only', () => {
  async function exported(...args: string[]): Promise<string[]> {
    const { code, stdout, stderr } = await copy.ledger(['export', ...args]);
    if (code !== 0) throw new Error(stderr);
    return stdout.trimEnd().split('\n');
  }

  let whole: readonly string[];
  beforeAll(async () => {
    whole = await exported();
  });

  async function verified(lines: readonly string[], ...args: string[]) {
    const file = join(copy.dataDir, 'export.ndjson');
    await writeFile(file, lines.map((line) => `${line}\n`).join(''));
    // No database, no settings: the environment is empty.
    return runLedger(['import', file, '--verify-only', ...args], { DATABASE_URL: '', MASTER_KEY: '', KEY_PEPPER: '' });
  }

  it('carry the whole log, up to the newest checkpoint, and find every change', async () => {
    const { code, stdout } = await verified(whole);
    expect(stdout).toContain('OK');
    expect(code).toBe(0);
    const events = whole.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'event');
    expect(events.filter((event) => event.partition === partition)).toHaveLength(ledger.sealed);
    // An event of the registry is left out, one of the partner's is altered, and a line is none.
    const left = whole.findIndex((line) => line.includes('"kind":"event","partition":0,"position":"2"'));
    const at = whole.findIndex((line) => line.includes('TransferSettled'));
    const altered = whole.with(at, whole[at]!.replace('"time":1', '"time":2'));
    const changed = await verified([...altered.slice(0, left), 'nonsense', ...altered.slice(left + 1)]);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain(`line ${left + 1}: cannot be read`);
    expect(changed.stdout).toContain('partition 0: position 3 after 1');
    expect(changed.stdout).toContain(`/partition-${partition}: the events are not those that were signed`);
    expect(await verified(whole.slice(0, -1))).toMatchObject({ code: 1, stdout: expect.stringContaining('no end') });
  }, 30_000);

  it('carry a range or one partner with proofs of inclusion', async () => {
    const range = await exported('--partition', String(partition), '--from', '5', '--to', '9');
    expect(range).toHaveLength(8);
    expect((await verified(range)).stdout).toContain('OK: 5 events');
    const altered = range.with(4, range[4]!.replace(/"stream":"(\w)/, '"stream":"x$1'));
    const { code, stdout } = await verified(altered);
    expect(code).toBe(1);
    expect(stdout).toContain(`partition ${partition}, position 7: the event is not the one that was signed`);

    const own = await exported('--partner', ledger.partner.uid);
    expect((await verified(own)).code).toBe(0);
    const events = own.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'event');
    const types = new Set(events.map(({ type }) => type));
    expect([...types].sort()).toEqual([
      'AccessKeyIssued',
      'AccountCredited',
      'AccountOpened',
      'PartnerRegistered',
      'TransferSettled',
    ]);
    expect(events.filter(({ type }) => type === 'PartnerRegistered')).toHaveLength(1);
  }, 30_000);

  it('trust only the keys they are given', async () => {
    const lines = await exported('--partition', String(partition));
    const { vkey } = JSON.parse(lines[1]!);
    expect((await verified(lines, '--vkey', vkey)).code).toBe(0);
    const [name] = vkey.split('+');
    const other = await otherKey(name);
    const { code, stdout } = await verified(lines, '--vkey', other);
    expect(code).toBe(1);
    expect(stdout).toContain('no good signature');
  }, 30_000);

  it('name what is missing, and with a known key accept that only with --partial', async () => {
    const own = `/partition-${partition} is not complete`;
    const range = await exported('--partition', String(partition), '--from', '1', '--to', String(ledger.sealed - 1));
    const { vkey } = JSON.parse(range[1]!);
    expect(await verified(range)).toMatchObject({ code: 0, stdout: expect.stringContaining(own) });
    const partial = await verified(range, '--vkey', vkey);
    expect(partial).toMatchObject({ code: 1, stdout: expect.stringContaining(own) });
    expect(partial.stdout).toContain('NOT OK');
    expect(await verified(range, '--vkey', vkey, '--partial')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(own),
    });

    // A whole partition is removed, and the count of the end line is adjusted.
    const parsed = whole.map((line) => JSON.parse(line));
    const keys = parsed.filter(({ kind }) => kind === 'checkpoint').flatMap((line) => ['--vkey', line.vkey]);
    expect((await verified(whole, ...keys)).stdout).toMatch(/^OK: /);
    const rest = parsed.filter((line) => line.partition !== partition);
    rest.at(-1).events = rest.filter(({ kind }) => kind === 'event').length;
    const doctored = rest.map((line) => JSON.stringify(line));
    expect(await verified(doctored)).toMatchObject({ code: 0 });
    expect(await verified(doctored, ...keys)).toMatchObject({ code: 1, stdout: expect.stringContaining(own) });
  }, 30_000);
});

describe('ledger export of a checkpoint that is not what was signed', () => {
  let forged: LedgerCopy;

  beforeEach(async () => {
    forged = await ledger.copy();
  });
  afterEach(() => forged.drop());

  const refused = async () => {
    const { code, stdout, stderr } = await forged.ledger(['export', '--partition', String(partition)]);
    expect(code).toBe(2);
    expect(stdout).not.toContain('"kind":"end"');
    return stderr;
  };

  it('is refused for other events, though the root beside the note is theirs', async () => {
    await asOwner(
      forged,
      ['delete from event where partition = $1 and position > $2', [partition, ledger.sealed]],
      [
        `update event set metadata = replace(metadata::text, 'access-key:', 'access-kez:')::json where partition = $1`,
        [partition],
      ],
    );
    await recomputeHashes(forged, partition);
    await forged.query(
      `update checkpoint c set root = h.root from log_head h
       where c.partition = $1 and c.size = $2 and h.partition = $1`,
      [partition, ledger.sealed],
    );
    expect(await refused()).toContain('are not those of the checkpoint that was signed');
  });

  it('is refused with an invalid signature by the key that it names', async () => {
    await forged.query(
      `update checkpoint set note = regexp_replace(note, '(— \\S+ .{40}).{8}', '\\1AAAAAAAA') where partition = $1`,
      [partition],
    );
    expect(await refused()).toContain('has a signature that is not ours');
  });

  it('is written with the note of a retired key, for who has that key', async () => {
    const der = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
    const env = { CHECKPOINT_SIGNING_KEY: der.toString('base64') };
    const { code, stdout } = await forged.ledger(['export', '--partition', String(partition)], env);
    expect({ code, ends: stdout.includes('"kind":"end"') }).toEqual({ code: 0, ends: true });
  });
});

async function otherKey(name: string): Promise<string> {
  const { encodeVerifier, verifierOf } = await import('../../src/audit/checkpoints/note.js');
  return encodeVerifier(verifierOf(name, generateKeyPairSync('ed25519').publicKey));
}
