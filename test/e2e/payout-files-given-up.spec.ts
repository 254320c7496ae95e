import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { FILES } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';

const MIB = 1024 * 1024;
const UPLOADS = 40;
const EACH = 8 * MIB;

let database: TestDatabase;
let service: Service;
let token: string;
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await createDatabase();
  // Memory is measured in one process.
  service = await startService(database.url, { WORKERS: '1' });
  const { credentials } = await new OperatorApi(service.url).partner(['10.00']);
  ({ token } = await PartnerApi.login(service.url, credentials));
}, 60_000);

afterAll(async () => {
  sockets.forEach((socket) => socket.destroy());
  await service?.stop();
  await database?.drop();
});

/** Begins an upload, whose bytes are still to be sent. */
async function begin(length: number) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  // The service may close it.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const head = [`POST ${FILES} HTTP/1.1`, `Host: ${hostname}`, `Authorization: Bearer ${token}`];
  socket.write([...head, 'Content-Type: text/csv', `Content-Length: ${length}`, '\r\n'].join('\r\n'));
  return {
    send: (bytes: Buffer) => new Promise((sent) => socket.write(bytes, sent)),
    isRefused: () => received.startsWith('HTTP/1.1 400 '),
  };
}

function memory(): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) * 1024;
}

describe('a file that is given up before its end', () => {
  it.each([
    ['a CSV without its columns', 'x'],
    ['not UTF-8', Buffer.of(0xff)],
  ])('because it is %s, is answered to who sends all of it first', async (_name, filling) => {
    const bytes = Buffer.alloc(40 * MIB, filling);
    const { send, isRefused } = await begin(bytes.length);
    const isSent = await Promise.race([send(bytes).then(() => true), new Promise((late) => setTimeout(late, 15_000))]);
    expect(isSent).toBe(true);
    await eventually(isRefused);
  });

  it('costs no memory, however much more of it arrives', async () => {
    const begun: Awaited<ReturnType<typeof begin>>[] = [];
    for (let i = 0; i < UPLOADS; i++) {
      const upload = await begin(60 * MIB);
      await upload.send(Buffer.alloc(64 * 1024, 'x'));
      // One of a partner arrives at a time: it has given its place up.
      await eventually(upload.isRefused);
      begun.push(upload);
    }
    const before = memory();
    await Promise.all(begun.map(({ send }) => send(Buffer.alloc(EACH, 'x'))));
    await eventually(() => {
      const grown = memory() - before;
      if (grown > (UPLOADS * EACH) / 2) throw new Error(`it grew by ${Math.round(grown / MIB)} MiB`);
      return true;
    });
  });
});
