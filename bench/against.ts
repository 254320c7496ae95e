import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { offer } from './generator.ts';
import { cpuOf, peakMemoryOf } from './processes.ts';
import { quiet } from './quiet.ts';
import { seed } from './seed.ts';
import { SERVICE, sibling, startDatabase, startService } from './server.ts';
import { workloads } from './workloads.ts';

/**
 * Compares this version with another one, built in a folder of its own; each has a database on the same server, and
 * they alternate: `npm run bench:against -- --folder ../before --rounds 7 --amount 12000`. Ratios are of medians over
 * the rounds; processor time of the service for each request changes less with the machine than requests a second do.
 */
const argument = (name: string, otherwise: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1]!;
};
const FOLDER = argument('folder', '');
const ROUNDS = Number(argument('rounds', '5'));
const AMOUNT = Number(argument('amount', '12000'));
const ONLY = argument('only', 'transfers, uniform|creation').split('|');
/** A receiver that accepts every webhook. */
const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const WEBHOOK = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const programAt = (folder: string) => SERVICE.map((part) => (part === 'dist/main.js' ? join(folder, part) : part));

const database = await startDatabase();
const open = async (folder: string, name: string) => {
  const url = await sibling(database.url, name);
  const service = await startService(url, {}, programAt(folder));
  const partners = await seed(service.url, 20, 50);
  return {
    url,
    service,
    plans: await workloads(service.url, partners, WEBHOOK),
    peak: () => peakMemoryOf(pid(service)),
  };
};
const pid = (service: { process: { pid?: number } }) => service.process.pid!;

if (!FOLDER) throw new Error('--folder names where the other version is built');
const [other, own] = [await open(FOLDER, 'other_version'), await open('.', 'own_version')];
try {
  const names = Object.keys(own.plans).filter((name) => ONLY.some((part) => name.includes(part)));
  for (const name of names) {
    const rows = { perSecond: [[], []] as number[][], cpuUs: [[], []] as number[][] };
    for (let round = -1; round < ROUNDS; round++) {
      // The order alternates: the second run starts on the machine as the first left it.
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const { url, service, plans } = [other, own][i]!;
        await quiet(url);
        const before = cpuOf(pid(service));
        const { perSecond, failed } = await offer({ ...plans[name]!, url: service.url, amount: AMOUNT, seconds: 60 });
        if (failed > 0) throw new Error(`${name}: ${failed} failed`);
        // The first round warms up.
        if (round < 0) continue;
        rows.perSecond[i]!.push(perSecond);
        rows.cpuUs[i]!.push(((cpuOf(pid(service)) - before) * 1000) / AMOUNT);
      }
    }
    const ratio = ([before, now]: number[][]) => (median(now!) / median(before!)).toFixed(3);
    const shown = (values: readonly number[]) => values.map((value) => Math.round(value)).join(' ');
    process.stdout.write(
      `${name}: ${ratio(rows.perSecond)} of the requests a second (${shown(rows.perSecond[0]!)} -> ` +
        `${shown(rows.perSecond[1]!)}), ${ratio(rows.cpuUs)} of the processor time (${shown(rows.cpuUs[0]!)} -> ` +
        `${shown(rows.cpuUs[1]!)} us)\n`,
    );
  }
  process.stdout.write(`peak memory: ${Math.round(other.peak())} -> ${Math.round(own.peak())} MB\n`);
} finally {
  await Promise.all([other.service.stop(), own.service.stop()]);
  await database.stop();
  receiver.close();
}
