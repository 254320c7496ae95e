import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  cosignedAt,
  encodeWitnessKey,
  parseWitnessKey,
  witnessKeyOf,
} from '../../src/audit/checkpoints/cosignature.js';
import { call, PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type CliResult, copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { sample } from '../support/metrics.js';
import { type Service, startService } from '../support/service.js';
import { asOwner, recomputeHashes } from '../support/tamper.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;
let service: Service | undefined;
let witness: ChildProcess | undefined;

afterEach(async () => {
  await service?.stop();
  witness?.kill();
  [service, witness] = [undefined, undefined];
});
copyForEach((given) => ({ ledger, copy, partition } = given));

/** What `verifier-key` prints: all copies have one key. */
let printed: Promise<CliResult> | undefined;

/** `ledger witness`, as a process of its own. @returns the settings that it prints */
async function startWitness(): Promise<Record<string, string>> {
  const keys = (await (printed ??= copy.ledger(['verifier-key']))).stdout.trim().split('\n');
  const args = ['--folder', join(copy.dataDir, 'witness'), '--port', '0', ...keys.flatMap((key) => ['--vkey', key])];
  const started = spawn(process.execPath, ['dist/cli.js', 'witness', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  witness = started;
  let text = '';
  started.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await eventually(() => Promise.resolve(text.includes('CHECKPOINT_WITNESS_KEY')));
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, 22), line.slice(23)]),
  );
}

async function start(settings: Record<string, string>): Promise<PartnerApi> {
  service = await startService(copy.url, { ...copy.env, ...settings, CHECKPOINT_INTERVAL_SECONDS: '1' });
  return PartnerApi.login(service.url, ledger.partner.credentials);
}

async function newest(): Promise<{ size: number; note: string }> {
  const [row] = await copy.query(
    'select size::int, note from checkpoint where partition = $1 order by size desc limit 1',
    [partition],
  );
  return row as never;
}

/** A way to the witness that holds requests about the partition until it is told how each goes on. */
interface SlowWay {
  readonly url: string;
  /** When a request is held. */
  readonly holds: Promise<void>;
  goOn(how: 'passed on' | 'lost'): void;
  readonly server: Server;
}

async function slowWayTo(url: string): Promise<SlowWay> {
  let [hold, goOn]: [() => void, SlowWay['goOn']] = [() => undefined, () => undefined];
  const holds = new Promise<void>((resolve) => (hold = resolve));
  const decided = new Promise<'passed on' | 'lost'>((resolve) => (goOn = resolve));
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (body.includes(`/partition-${partition}\n`)) {
        hold();
        if ((await decided) === 'lost') return void request.socket.destroy();
      }
      const answer = await fetch(`${url}${request.url}`, { method: 'POST', body });
      response.writeHead(answer.status).end(await answer.text());
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, holds, goOn, server };
}

const isReady = async () => (await fetch(`${service!.url}/health/ready`)).status === 200;

const cosignatures = async (outcome: string) => {
  const { body } = await call(service!.url, 'GET', '/metrics');
  return sample(body, 'ledger_checkpoint_cosignatures_total', { partition: String(partition), outcome });
};

describe('a witness', () => {
  it('cosigns each checkpoint: the line is stored, exported and verified', async () => {
    const settings = await startWitness();
    const key = parseWitnessKey(settings.CHECKPOINT_WITNESS_KEY!);
    const api = await start(settings);
    await eventually(async () => (await newest()).size === ledger.size);
    for (let i = 0; i < 3; i++) expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
    const { note } = await eventually(async () => (await newest()).size === ledger.size + 3 && newest());
    expect(await cosignatures('missing')).toEqual([0]);
    expect((await cosignatures('given'))[0]).toBeGreaterThan(0);
    expect(cosignedAt(note, key)!.getTime()).toBeGreaterThan(Date.now() - 60_000);
    const kept = await readFile(join(copy.dataDir, 'checkpoints', `partition-${partition}.checkpoint`), 'utf8');
    expect(kept).toBe(note);
    await service!.stop();
    const { stdout: exported } = await copy.ledger(['export', '--partition', String(partition)]);
    expect(exported).toContain(JSON.stringify(note));
    const file = join(copy.dataDir, 'export.ndjson');
    await writeFile(file, exported);
    const bear = (name: string) => ['import', '--verify-only', file, '--witness', name];
    expect((await copy.ledger(bear(settings.CHECKPOINT_WITNESS_KEY!))).code).toBe(0);
    const stranger = encodeWitnessKey(witnessKeyOf('stranger', generateKeyPairSync('ed25519').privateKey));
    expect((await copy.ledger(bear(stranger))).stdout).toContain('stranger has not cosigned');
    expect((await copy.ledger(['verify'], settings)).code).toBe(0);
    const forged = note.replace(
      /(— witness\S* \S{20})(.)/,
      (_line, before: string, letter: string) => `${before}${letter === 'A' ? 'B' : 'A'}`,
    );
    await copy.query('update checkpoint set note = $2 where partition = $1 and note = $3', [partition, forged, note]);
    const { stdout, code } = await copy.ledger(['verify'], settings);
    expect([code, stdout]).toEqual([1, expect.stringContaining('a good cosignature by witness.example/1')]);
  }, 60_000);

  it('that has seen a larger or another tree prevents signing, although all else was forged', async () => {
    const settings = await startWitness();
    await start(settings);
    await eventually(async () => (await newest()).size === ledger.size);
    await service!.stop();
    // The owner of database and machine truncates the history, and nothing here shows it.
    await asOwner(copy, [`delete from event where partition = $1 and position > $2`, [partition, ledger.size - 2]]);
    await recomputeHashes(copy, partition);
    await copy.query('delete from checkpoint where partition = $1', [partition]);
    await copy.query('delete from tree_node where partition = $1', [partition]);
    await copy.query('delete from subscription where partition = $1', [partition]);
    await rm(join(copy.dataDir, 'checkpoints', `partition-${partition}.checkpoint`));
    await start(settings);
    // It is not ready before its first look either.
    const told = `the witness has seen ${ledger.size} events, and they are gone`;
    await eventually(async () => service!.output().includes(told) && !(await isReady()));
    expect(await newest()).toBeUndefined();
  }, 60_000);

  it('that does not answer does not prevent signing', async () => {
    const settings = await startWitness();
    witness!.kill();
    await once(witness!, 'exit');
    await start(settings);
    await eventually(async () => (await newest()).size === ledger.size);
    expect(await isReady()).toBe(true);
    expect(service!.output()).toContain('the witness did not cosign a checkpoint');
    expect(await cosignatures('given')).toEqual([0]);
    expect((await cosignatures('missing'))[0]).toBeGreaterThan(0);
  }, 30_000);

  it('whose answer does not end is left at its first kilobytes', async () => {
    let sent = 0;
    const endless = createServer((_request, response) => {
      const more = () => {
        sent += 1;
        if (response.write(Buffer.alloc(4_096))) setImmediate(more);
      };
      response.on('drain', more);
      more();
    });
    await once(endless.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = endless.address() as AddressInfo;
      await start({ ...(await startWitness()), CHECKPOINT_WITNESS_URL: `http://127.0.0.1:${port}` });
      await eventually(async () => (await newest()).size === ledger.size);
      await eventually(async () => service!.output().includes('more than 4096 bytes'));
      // Socket buffers of a few checkpoints: five seconds of it would be far more.
      expect(sent).toBeLessThan(10_000);
    } finally {
      endless.close();
      endless.closeAllConnections();
    }
  }, 30_000);

  it.each(['passed on', 'lost'] as const)(
    'may have seen a larger tree of another process meanwhile: no alarm, and the file keeps that one (%s)',
    async (how) => {
      const settings = await startWitness();
      const seldom = { ...copy.env, ...settings, CHECKPOINT_INTERVAL_SECONDS: '86400' };
      const way = await slowWayTo(settings.CHECKPOINT_WITNESS_URL!);
      const first = await startService(copy.url, seldom);
      const started = [first];
      try {
        await eventually(async () => (await newest()).size === ledger.size);
        const api = await PartnerApi.login(first.url, ledger.partner.credentials);
        expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
        service = await startService(copy.url, { ...seldom, CHECKPOINT_WITNESS_URL: way.url });
        await way.holds;
        expect((await api.transfer(ledger.partner.accounts[1]!, '1.00')).status).toBe(201);
        started.push(await startService(copy.url, seldom));
        await eventually(async () => (await newest()).size === ledger.size + 2);
        way.goOn(how);
        const looked = async () => {
          const { body } = await call(service!.url, 'GET', '/metrics');
          return sample(body, 'ledger_checkpoint_refused', { partition: String(partition) });
        };
        expect(await eventually(async () => (await looked()).length === 1 && looked())).toEqual([0]);
        expect(await isReady()).toBe(true);
        expect(service.output()).not.toContain('ALTERED');
        const kept = await readFile(join(copy.dataDir, 'checkpoints', `partition-${partition}.checkpoint`), 'utf8');
        expect(kept.split('\n')[1]).toBe(String(ledger.size + 2));
      } finally {
        way.goOn('lost');
        await Promise.all(started.map((one) => one.stop()));
        way.server.close();
      }
    },
    60_000,
  );
});
