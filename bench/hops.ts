import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * What it costs to hand a command to another thread (a message port) or process (a socket with JSON), and to get its
 * answer back: processor time of both sides, by how many go together. `node bench/hops.ts`
 */
const ROUNDS = 20_000;
const command = {
  caller: {
    accessKey: '019a0f0e-1111-7abc-8def-0123456789ab',
    accountUid: '019a0f0e-2222-7abc-8def-0123456789ab',
    partnerUid: '019a0f0e-3333-7abc-8def-0123456789ab',
    partition: 2,
    permissions: ['transfers:write', 'transfers:read', 'pix:write', 'pix:read'],
  },
  destinationUid: '019a0f0e-4444-7abc-8def-0123456789ab',
  amount: { $n: '1050' },
  requestId: '019a0f0e-5555-7abc-8def-0123456789ab',
  idempotency: { key: 'abcdefgh-1234', request: `POST/partners-int/accounts/transfer{${'x'.repeat(120)}}` },
};
const answer = { id: '019a0f0e-2222-7abc-8def-0123456789ab', at: { $d: 1_763_000_000_000 }, replayed: false };
const batch = (count: number) => Array.from({ length: count }, (_, i) => [i, 'command', ['RequestTransfer', command]]);
const answers = (calls: readonly unknown[]) => calls.map((_, i) => [i, 'done', answer]);

const frame = (value: unknown) => {
  const text = JSON.stringify(value);
  const bytes = Buffer.alloc(4 + Buffer.byteLength(text));
  bytes.writeUInt32BE(bytes.length - 4);
  bytes.write(text, 4);
  return bytes;
};
const frames = (found: (value: unknown[]) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
      const end = 4 + rest.readUInt32BE();
      const body = rest.toString('utf8', 4, end);
      rest = rest.subarray(end);
      found(JSON.parse(body) as unknown[]);
    }
  };
};
const cpu = () => Object.values(process.cpuUsage()).reduce((sum, us) => sum + us, 0);

async function byThread(count: number): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: 'echo' });
  const calls = batch(count);
  const rounds = async (times: number) => {
    for (let i = 0; i < times; i++) {
      worker.postMessage(calls);
      await once(worker, 'message');
    }
  };
  await rounds(ROUNDS / count / 4);
  const before = cpu();
  await rounds(ROUNDS / count);
  const used = cpu() - before;
  await worker.terminate();
  return used / ROUNDS;
}

async function byProcess(count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-hops-'));
  const path = join(folder, 'socket');
  const child = fork(new URL(import.meta.url), [path]);
  await once(child, 'message');
  const socket = connect(path);
  let next: () => void = () => undefined;
  socket.on(
    'data',
    frames(() => next()),
  );
  const calls = batch(count);
  const rounds = async (times: number) => {
    for (let i = 0; i < times; i++) {
      const back = new Promise<void>((resolve) => (next = resolve));
      socket.write(frame(calls));
      await back;
    }
  };
  const ofChild = async () => {
    child.send('cpu');
    return (await once(child, 'message'))[0] as number;
  };
  await rounds(ROUNDS / count / 4);
  const before = cpu() + (await ofChild());
  await rounds(ROUNDS / count);
  const used = cpu() + (await ofChild()) - before;
  socket.destroy();
  child.kill();
  await rm(folder, { recursive: true, force: true });
  return used / ROUNDS;
}

if (workerData === 'echo') {
  parentPort!.on('message', (calls: unknown[]) => parentPort!.postMessage(answers(calls)));
} else if (process.send) {
  createServer((socket) =>
    socket.on(
      'data',
      frames((calls) => socket.write(frame(answers(calls)))),
    ),
  ).listen(process.argv[2], () => process.send!('ready'));
  process.on('message', () => process.send!(cpu()));
} else {
  for (const count of [1, 4, 16, 64]) {
    const [thread, other] = [await byThread(count), await byProcess(count)];
    console.log(`${count} together: thread ${thread.toFixed(1)} µs, process ${other.toFixed(1)} µs a command`);
  }
}
