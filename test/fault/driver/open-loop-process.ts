import { text } from 'node:stream/consumers';
import { RawRequests } from '../../support/raw-requests.ts';
import type { LoopPlan, ShotTuple } from './open-loop.ts';

/**
 * Sends one request at a fixed rate whatever becomes of those before ("open loop"), as many callers do who know nothing
 * of one another. A process of its own, started by `openLoop`: the driver's has the proxy of the database in it, which
 * must not wait for this.
 */
const { url, method, path, token, body, perSecond, seconds } = JSON.parse(await text(process.stdin)) as LoopPlan;

const TICK_MS = 5;
const requests = new RawRequests(url);
const { head, rest } = requests.parts({ method, path, token, body });

async function shoot(sentAt: number): Promise<ShotTuple> {
  const began = performance.now();
  const { status, retryAfter } = await requests.send(head + rest);
  return [sentAt, status, retryAfter, performance.now() - began];
}

const started = performance.now();
const shots: Promise<ShotTuple>[] = [];
for (;;) {
  const elapsed = performance.now() - started;
  const due = Math.floor((Math.min(elapsed, seconds * 1000) / 1000) * perSecond);
  while (shots.length < due) shots.push(shoot(elapsed));
  if (elapsed >= seconds * 1000) break;
  await new Promise((resume) => setTimeout(resume, TICK_MS));
}
process.stdout.write(JSON.stringify(await Promise.all(shots)));
requests.end();
