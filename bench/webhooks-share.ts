import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { offer } from './generator.ts';
import { seed, type SeededPartner } from './seed.ts';
import { type BenchService, sibling, startDatabase, startService } from './server.ts';
import type { Arrivals } from './webhook-receiver.ts';

/**
 * The effect of partners with slow receivers on another partner's webhooks: `npm run bench:webhooks-share`.
 * Each attack has a service and a database of its own, and its control on them: the same deliveries before it begins.
 * All partners are in one partition, so they share everything.
 */
const SLOW_MS = 13_500;
/** Answered at once, so that a host's concurrency limit grows before it turns slow. */
const QUICK = 40;
/** Longer than a slow answer takes: a wave of them ends within each measurement. */
const SECONDS = 15;
const RATE = 20;
/** The longest wait for delayed deliveries. */
const TIMEOUT_MS = 180_000;
const ATTACKERS = 5;
const HOSTS = 32;

interface Attack {
  readonly name: string;
  /** Addresses that each attacker has slow deliveries sent to, and how many in all. */
  addresses(attacker: number): readonly string[];
  readonly attackers: number;
  readonly deliveries: number;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? NaN;
const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
const test = (token: string, url: string) => ({
  path: '/partners-int/webhooks/test',
  token,
  body: JSON.stringify({ url }),
});

const receiver: ChildProcess = fork('bench/webhook-receiver.ts', [String(1 + ATTACKERS * HOSTS)]);
const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }];
const address = (host: number, path: string) => `http://127.0.0.1:${ports[host]}${path}`;

async function arrived(): Promise<number[]> {
  receiver.send({ report: true });
  const [{ arrivals }] = (await once(receiver, 'message')) as [{ arrivals: Arrivals }];
  return Object.values(arrivals.delays).flat();
}

/** Milliseconds from the event to its arrival, of one partner's deliveries. */
async function delays(service: BenchService, victim: SeededPartner, seconds = SECONDS): Promise<number[]> {
  const requests = [test(victim.token, address(0, '/'))];
  const plan = { url: service.url, connections: 4, rate: RATE, method: 'POST' as const, requests };
  const { succeeded } = await offer({ ...plan, seconds });
  const found: number[] = [];
  const until = Date.now() + TIMEOUT_MS;
  while (found.length < succeeded && Date.now() < until) {
    await pause(250);
    found.push(...(await arrived()));
  }
  if (found.length < succeeded) say(`${succeeded - found.length} did not arrive within ${TIMEOUT_MS / 1000} s`);
  return found;
}

/** Waits until the deliveries that the attackers' hosts answer at once are made: then the attack is at full effect. */
async function saturated({ url }: BenchService): Promise<void> {
  const made = async () =>
    /^webhook_attempts_total\{outcome="delivered"\} (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
  for (let before = '', now = await made(); before !== now; [before, now] = [now!, await made()]) await pause(1_000);
}

async function measure(database: string, attack: Attack): Promise<void> {
  const service = await startService(database, { LEDGER_PARTITIONS: '1' });
  try {
    const [victim, ...attackers] = await seed(service.url, 1 + attack.attackers, 1);
    receiver.send({ secrets: [victim!.webhookSecret] });
    await delays(service, victim!, 3); // a service that has just started is slow
    const control = await delays(service, victim!);
    await offer({
      url: service.url,
      connections: 32,
      seconds: 60,
      amount: attack.deliveries,
      method: 'POST',
      requests: attackers.flatMap(({ token }, i) => attack.addresses(i).map((url) => test(token, url))),
    });
    await saturated(service);
    const under = await delays(service, victim!);
    const [before, after] = [quantile(control, 0.99), quantile(under, 0.99)];
    say(`${attack.name}: another partner's delay, from the event to the receiver`);
    say(`  without: p50 ${quantile(control, 0.5)} ms, p99 ${before} ms (${control.length})`);
    say(
      `  under attack: p50 ${quantile(under, 0.5)} ms, p99 ${after} ms (${under.length}), ${(after / before).toFixed(1)} x`,
    );
  } finally {
    await service.stop();
  }
}

const only = process.argv[2];
const database = await startDatabase();
try {
  const attacks: readonly Attack[] = [
    {
      name: '1,000 deliveries of one partner to the same host, answered after 13.5 s',
      addresses: () => [address(0, `/turning/${QUICK}/${SLOW_MS}`)],
      attackers: 1,
      deliveries: 1_000,
    },
    {
      name: `${ATTACKERS} partners, ${HOSTS} hosts each, all answering after 13.5 s`,
      addresses: (i) =>
        ports
          .slice(1 + i * HOSTS, 1 + (i + 1) * HOSTS)
          .map((port) => `http://127.0.0.1:${port}/turning/${QUICK}/${SLOW_MS}`),
      attackers: ATTACKERS,
      deliveries: ATTACKERS * HOSTS * 80,
    },
  ];
  for (const [i, attack] of attacks.entries()) {
    if (!only || only === String(i + 1)) await measure(await sibling(database.url, `share_${i}`), attack);
  }
} finally {
  receiver.disconnect();
  await database.stop();
}
