import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { offer } from './generator.ts';
import type { LoadPlan } from './load.ts';
import { seed, type SeededPartner } from './seed.ts';
import { startDatabase, startService } from './server.ts';
import type { Arrivals } from './webhook-receiver.ts';

/**
 * Webhooks, from the commit of an event to a receiver that verifies it: how many a second the sender makes of a
 * backlog, how long one takes at half that rate, and what one dead address among a hundred changes for the others. `npm
 * run bench:webhooks -- --seconds 10 --rounds 3`. All processes share the machine: database, service, receiver, load.
 */
const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const SECONDS = option('seconds', 10);
const ROUNDS = option('rounds', 3);
const BACKLOG = option('backlog', 20_000);
const RATE = option('rate', 0);
const ADDRESSES = 100;
const PARTNERS = 10;

/** Several services on one database need the same ones. */
const SECRETS = {
  JWT_SECRET: randomBytes(32).toString('hex'),
  KEY_PEPPER: randomBytes(32).toString('base64'),
  MASTER_KEY: randomBytes(32).toString('base64'),
};

class Receiver {
  readonly child: ChildProcess;
  readonly ports: readonly number[];

  private constructor(child: ChildProcess, ports: readonly number[]) {
    this.child = child;
    this.ports = ports;
  }

  static async start(addresses: number): Promise<Receiver> {
    const child = fork('bench/webhook-receiver.ts', [String(addresses)]);
    const [{ ports }] = (await once(child, 'message')) as [{ ports: number[] }];
    return new Receiver(child, ports);
  }

  instruct(what: { secrets: string[] } | { dead: number[] }): void {
    this.child.send(what);
  }

  /** What arrived since the last report. */
  async report(): Promise<Arrivals> {
    this.child.send({ report: true });
    const [{ arrivals }] = (await once(this.child, 'message')) as [{ arrivals: Arrivals }];
    return arrivals;
  }

  /** Collects reports until that many arrived, or none does any more. */
  async until(count: number): Promise<Arrivals> {
    const all: Arrivals[] = [];
    const arrived = () => all.reduce((sum, { times }) => sum + times.length, 0);
    let idle = 0;
    while (arrived() < count && idle < 20) {
      await new Promise((resume) => setTimeout(resume, 250));
      all.push(await this.report());
      idle = all.at(-1)!.times.length === 0 ? idle + 1 : 0;
    }
    return join(all);
  }

  stop(): void {
    this.child.disconnect();
  }
}

function join(parts: readonly Arrivals[]): Arrivals {
  const delays: Record<number, number[]> = {};
  for (const part of parts) {
    for (const [port, some] of Object.entries(part.delays)) (delays[Number(port)] ??= []).push(...some);
  }
  return {
    delays,
    times: parts.flatMap(({ times }) => times),
    refused: parts.reduce((sum, { refused }) => sum + refused, 0),
    repeated: parts.reduce((sum, { repeated }) => sum + repeated, 0),
  };
}

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]!;
const median = (values: readonly number[]) => quantile(values, 0.5);
const say = (line: string) => process.stdout.write(`${line}\n`);

/** Every partner's requests for a sample at every address, so that each address gets its share. */
function samples(partners: readonly SeededPartner[], ports: readonly number[]): LoadPlan['requests'] {
  return ports.flatMap((port, i) => {
    const { token } = partners[i % partners.length]!;
    return [{ path: '/partners-int/webhooks/test', token, body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }) }];
  });
}

const database = await startDatabase();
const receiver = await Receiver.start(ADDRESSES);
try {
  const api = await startService(database.url, { ...SECRETS, ROLE: 'api' });
  const partners = await seed(api.url, PARTNERS, 1);
  receiver.instruct({ secrets: partners.map(({ webhookSecret }) => webhookSecret) });
  const backlog = await offer({
    url: api.url,
    connections: 64,
    seconds: 60,
    amount: BACKLOG,
    method: 'POST',
    requests: samples(partners, receiver.ports.slice(0, PARTNERS)),
  });
  await api.stop();

  const worker = await startService(database.url, { ...SECRETS, ROLE: 'worker' });
  const drained = await receiver.until(backlog.succeeded);
  await worker.stop();
  const { times } = drained;
  // The first and last tenth are the start and the end of the run, not its speed.
  const [from, to] = [Math.floor(times.length * 0.1), Math.floor(times.length * 0.9)];
  const perSecond = ((to - from) / (times[to]! - times[from]!)) * 1000;
  say(`${times.length} of ${backlog.succeeded} deliveries arrived and verified, ${drained.repeated} twice`);
  say(`deliveries a second, from the log to the receiver, out of a backlog: ${Math.round(perSecond)}`);

  const service = await startService(database.url, SECRETS);
  const half = RATE || Math.round(perSecond / 2);
  // The first address is left out in every round: after it was dead, its backlog arrives late.
  const measure = async (ports: readonly number[], dead: readonly number[]) => {
    receiver.instruct({ dead: [...dead] });
    const plan = { url: service.url, connections: 16, rate: half, method: 'POST' as const };
    await offer({ ...plan, seconds: 2, requests: samples(partners, ports) });
    await receiver.report();
    const sent = await offer({ ...plan, seconds: SECONDS, requests: samples(partners, ports) });
    const { delays } = await receiver.until(Math.floor((sent.succeeded * (ports.length - 1)) / ports.length));
    return Object.entries(delays).flatMap(([port, some]) => (Number(port) === ports[0] ? [] : some));
  };

  const few = await measure(receiver.ports.slice(0, PARTNERS), []);
  say(
    `commit to receipt at ${half} a second: p50 ${quantile(few, 0.5)} ms, p99 ${quantile(few, 0.99)} ms (${few.length})`,
  );

  const all: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    all.push(quantile(await measure(receiver.ports, []), 0.99));
    others.push(quantile(await measure(receiver.ports, receiver.ports.slice(0, 1)), 0.99));
  }
  const change = (median(others) / median(all) - 1) * 100;
  say(`a hundred addresses at ${half} a second: p99 ${median(all)} ms (${all.join(', ')})`);
  say(`one of them dead: p99 of the others ${median(others)} ms (${others.join(', ')}), ${change.toFixed(0)} %`);
  await service.stop();
} finally {
  receiver.stop();
  await database.stop();
}
