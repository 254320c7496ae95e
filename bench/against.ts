import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { offer } from './generator.ts';
import { cpuOf, peakMemoryOf, serverCpu } from './processes.ts';
import { quiet } from './quiet.ts';
import { seed } from './seed.ts';
import { SERVICE, sibling, startDatabase, startService } from './server.ts';
import { workloads } from './workloads.ts';
import { type WrittenKind, WrittenLog } from './written.ts';

/**
 * Compares this version with another one, built in a folder of its own; each has a database on the same server, and
 * they alternate: `npm run bench:against -- --folder ../before --rounds 7 --amount 12000`. Ratios are of medians over
 * the rounds; processor time for each request changes less with the machine than requests a second do, and bytes of
 * PostgreSQL's log (without page images, followers included) hardly at all.
 */
const argument = (name: string, otherwise: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1]!;
};
const FOLDER = argument('folder', '');
const ROUNDS = Number(argument('rounds', '5'));
const AMOUNT = Number(argument('amount', '12000'));
const ONLY = argument('only', 'transfers, uniform|creation').split('|');
/** Each measurement waits for the tree of the checkpoint before it: not for a minute. */
const SETTINGS = { CHECKPOINT_INTERVAL_SECONDS: '2' };
/** A receiver that accepts every webhook. */
const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const WEBHOOK = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const programAt = (folder: string) => SERVICE.map((part) => (part === 'dist/main.js' ? join(folder, part) : part));

const database = await startDatabase();
const open = async (folder: string, name: string) => {
  const url = await sibling(database.url, name);
  const service = await startService(url, SETTINGS, programAt(folder));
  const partners = await seed(service.url, 20, 50);
  return {
    url,
    service,
    log: await WrittenLog.open(url),
    plans: await workloads(service.url, partners, WEBHOOK),
    peak: () => peakMemoryOf(pid(service)),
  };
};
const pid = (service: { process: { pid?: number } }) => service.process.pid!;

const databaseCpu = await serverCpu(database.url);
const FIGURES = {
  perSecond: 'requests a second',
  serviceUs: 'processor time of the service, us',
  databaseUs: "PostgreSQL's processor time, us",
  walBytes: 'bytes of the log',
} as const;
type Figure = keyof typeof FIGURES;

/** Bytes of the last round by table and index, of both versions. */
function byRelation(written: readonly (readonly WrittenKind[])[]): string {
  const sums = new Map<string, [number, number]>();
  written.forEach((kinds, i) => {
    for (const { relation, bytes } of kinds) {
      const sum = sums.get(relation) ?? [0, 0];
      sum[i as 0 | 1] += bytes / AMOUNT;
      sums.set(relation, sum);
    }
  });
  return [...sums]
    .map(([name, [before, now]]) => [name, Math.round(before), Math.round(now)] as const)
    .filter(([, before, now]) => before + now > 2)
    .sort(([, a], [, b]) => b - a)
    .map(([name, before, now]) => `    ${name} ${before} -> ${now}\n`)
    .join('');
}

if (!FOLDER) throw new Error('--folder names where the other version is built');
const [other, own] = [await open(FOLDER, 'other_version'), await open('.', 'own_version')];
try {
  const names = Object.keys(own.plans).filter((name) => ONLY.some((part) => name.includes(part)));
  for (const name of names) {
    const rows: Record<Figure, number[][]> = {
      perSecond: [[], []],
      serviceUs: [[], []],
      databaseUs: [[], []],
      walBytes: [[], []],
    };
    const written: (readonly WrittenKind[])[] = [[], []];
    for (let round = -1; round < ROUNDS; round++) {
      // The order alternates: the second run starts on the machine as the first left it.
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const { url, service, plans, log } = [other, own][i]!;
        await quiet(url);
        await log.start();
        const before = [cpuOf(pid(service)), databaseCpu()] as const;
        const { perSecond, failed } = await offer({ ...plans[name]!, url: service.url, amount: AMOUNT, seconds: 60 });
        if (failed > 0) throw new Error(`${name}: ${failed} failed`);
        // What follows a request belongs to it.
        await quiet(url);
        // The first round warms up.
        if (round < 0) continue;
        rows.perSecond[i]!.push(perSecond);
        rows.serviceUs[i]!.push(((cpuOf(pid(service)) - before[0]) * 1000) / AMOUNT);
        rows.databaseUs[i]!.push(((databaseCpu() - before[1]) * 1000) / AMOUNT);
        written[i] = await log.read();
        rows.walBytes[i]!.push(written[i].reduce((sum, { bytes }) => sum + bytes, 0) / AMOUNT);
      }
    }
    const shown = (values: readonly number[]) => values.map((value) => Math.round(value)).join(' ');
    process.stdout.write(`${name}\n`);
    for (const [figure, words] of Object.entries(FIGURES)) {
      const [before, now] = rows[figure as Figure] as [number[], number[]];
      const ratio = (median(now) / median(before)).toFixed(3);
      process.stdout.write(`  ${ratio} of the ${words} (${shown(before)} -> ${shown(now)})\n`);
    }
    process.stdout.write(byRelation(written));
  }
  process.stdout.write(`peak memory: ${Math.round(other.peak())} -> ${Math.round(own.peak())} MB\n`);
} finally {
  await Promise.all([other, own].map(({ log, service }) => Promise.all([log.close(), service.stop()])));
  await database.stop();
  receiver.close();
}
