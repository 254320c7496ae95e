import { call } from '../../support/api.js';
import { runLedger } from '../../support/ledger-cli.js';
import { BREAKAGES } from './receiver.js';
import type { Random } from './random.js';
import type { Traffic } from './traffic.js';
import { PATHS, QUEUE_SIZE, type World } from './world.js';

/** Everything that goes wrong, and how often beside the others. */
const WEIGHTS = {
  'service killed': 10,
  'PostgreSQL restarted (fast)': 8,
  'PostgreSQL restarted (immediate)': 8,
  'connections cut': 8,
  'COMMIT cut before the server': 9,
  'COMMIT cut after the server': 9,
  'connection stalled': 5,
  'queue filled': 5,
  'rail late': 6,
  'rail repeats': 6,
  'receiver broken': 9,
  'ledger verified': 4,
  'projections rebuilt': 3,
};
export type FaultKind = keyof typeof WEIGHTS;
export const FAULT_KINDS = Object.keys(WEIGHTS) as FaultKind[];
/** Those that take a process or a server away. */
export const KILLS: ReadonlySet<FaultKind> = new Set([
  'service killed',
  'PostgreSQL restarted (fast)',
  'PostgreSQL restarted (immediate)',
]);

/** One thing that goes wrong, fixed before the round begins. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** Milliseconds after the one before it. */
  readonly after: number;
  /** How long it lasts, milliseconds, where it lasts. */
  readonly lasts: number;
  readonly random: Random;
}

/** A round's faults. Every fourth is a kill, whatever the dice say. */
export function planFaults(random: Random, count: number): PlannedFault[] {
  return Array.from({ length: count }, (_, i) => ({
    kind: i % 4 === 0 ? 'service killed' : random.weighted(WEIGHTS),
    after: random.whole(200, 2_000),
    lasts: random.whole(50, 1_500),
    random: random.fork(),
  }));
}

/** Has one fault happen. Those that last go on while others happen. @returns whether there was something to break */
export async function inflict(fault: PlannedFault, world: World, traffic: Traffic): Promise<boolean> {
  const { kind, lasts, random } = fault;
  const instance = random.pick(world.instances);
  switch (kind) {
    case 'service killed':
      await instance.up();
      return instance.kill(random.whole(0, 300));
    case 'PostgreSQL restarted (fast)':
      await world.postgres.restart('fast', lasts / 2);
      return true;
    case 'PostgreSQL restarted (immediate)':
      await world.postgres.restart('immediate', lasts / 2);
      return true;
    case 'connections cut':
      instance.proxy.refuse(true);
      await pause(lasts);
      instance.proxy.refuse(false);
      return true;
    case 'COMMIT cut before the server':
      instance.proxy.cutNextCommit('before');
      return true;
    case 'COMMIT cut after the server':
      instance.proxy.cutNextCommit('after');
      return true;
    case 'connection stalled':
      instance.proxy.stall(true);
      await pause(lasts * 2);
      instance.proxy.stall(false);
      return true;
    case 'queue filled':
      await traffic.burst(random, QUEUE_SIZE * 4);
      return true;
    case 'rail late':
      return behave(world, { delayMs: random.whole(100, 1_500), copies: 1 });
    case 'rail repeats':
      return behave(world, { delayMs: random.pick([0, 50]), copies: random.whole(2, 4) });
    case 'receiver broken':
      await world.receiver.break(random.pick(BREAKAGES), random.pick(PATHS));
      return true;
    case 'ledger verified':
      return operate(world, traffic, 'verify');
    case 'projections rebuilt':
      return operate(world, traffic, 'rebuild');
  }
}

/** Nothing is broken any more, and every process serves. */
export async function heal(world: World): Promise<void> {
  for (const { proxy } of world.instances) {
    proxy.refuse(false);
    proxy.stall(false);
    proxy.calm();
  }
  await Promise.all([world.receiver.heal(), ...world.instances.map((instance) => instance.up())]);
  while (!(await behave(world, { delayMs: 0, copies: 1 }))) await pause(100);
}

/** A command of operators in the middle of it all: it may lose its connection, and must find nothing wrong. */
async function operate({ env, database }: World, { book }: Traffic, command: string): Promise<boolean> {
  const { code, stdout, stderr } = await runLedger([command], { ...env, DATABASE_URL: database.url });
  if (code !== 0 && code !== 2) book.violations.push(`ledger ${command} meanwhile: ${code} ${stdout}${stderr}`);
  return code === 0;
}

/** @returns whether the sandbox could be told */
async function behave(world: World, behaviour: object): Promise<boolean> {
  const { url } = world.instances.find((instance) => instance.url !== undefined) ?? {};
  if (!url) return false;
  const answer = await call(url, 'PUT', '/sandbox/pix/behaviour', { body: behaviour }).catch(() => undefined);
  return answer?.status === 200;
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}
