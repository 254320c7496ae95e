import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { generateKeyPairSync } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
});
