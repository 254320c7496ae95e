import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LoopPlan, ShotTuple } from './open-loop.ts';

/**
 * Sends one request at a fixed rate whatever becomes of those before ("open loop"), as many callers do who know nothing
 * of one another. Every request that is not answered yet has a connection of its own. A process of its own, started by
 * `openLoop`: the driver's has the proxy of the database in it, which must not wait for this.
 */
const { url, path, token, body, perSecond, seconds } = JSON.parse(await text(process.stdin)) as LoopPlan;

const TICK_MS = 5;
const HEAD_END = '\r\n\r\n';
const { hostname, port, host } = new URL(url);
const request = [
  `POST ${path} HTTP/1.1`,
  `Host: ${host}`,
  `Authorization: Bearer ${token}`,
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
].join('\r\n');
const idle: Socket[] = [];

function open(): Socket {
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  socket.setMaxListeners(0);
  socket.on('error', () => undefined);
  socket.once('close', () => {
    const at = idle.indexOf(socket);
    if (at >= 0) idle.splice(at, 1);
  });
  return socket;
}

function shoot(sentAt: number): Promise<ShotTuple> {
  const socket = idle.pop() ?? open();
  const began = performance.now();
  return new Promise((resolve) => {
    let received = '';
    const end = (status: number, retryAfter: boolean) => {
      socket.off('data', take).off('close', lost);
      resolve([sentAt, status, retryAfter, performance.now() - began]);
    };
    const lost = () => end(0, false);
    const take = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const at = received.indexOf(HEAD_END);
      if (at < 0) return;
      const answer = received.slice(0, at).toLowerCase();
      const length = Number(/content-length: (\d+)/.exec(answer)?.[1] ?? 0);
      if (received.length < at + HEAD_END.length + length) return;
      if (answer.includes('connection: close')) socket.destroy();
      else idle.push(socket);
      end(Number(answer.slice(9, 12)), answer.includes('retry-after:'));
    };
    socket.on('data', take).once('close', lost);
    socket.write(request);
  });
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
const results = await Promise.all(shots);
process.stdout.write(JSON.stringify(results), () => process.exit(0));
