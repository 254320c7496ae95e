import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Download } from './download.js';
import { Places } from './places.js';

const LINE = `${'x'.repeat(1023)}\n`;
const REFUSALS = { second: () => new Error('one of yours'), full: () => new Error('too many') };

let places: Places<Download>;
let server: Server;
const sockets: Socket[] = [];

async function* endless(): AsyncGenerator<string, void, undefined> {
  for (;;) {
    yield LINE;
    // As a log or a table is read: others get their turn.
    await pause(0);
    for (let i = 0; i < 99; i++) yield LINE;
  }
}

/** Lines that the database keeps back. */
async function* late(): AsyncGenerator<string, void, undefined> {
  await pause(60_000, undefined, { ref: false });
  yield LINE;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const owner = request.url!.slice(1);
    try {
      const stream = places
        .take(owner, (release) => new Download(release))
        .stream(owner === 'late' ? late() : endless());
      response.flushHeaders();
      pipeline(stream, response).catch(() => response.destroy());
    } catch (error) {
      response.writeHead(429).end((error as Error).message);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

beforeEach(() => {
  places = new Places(2, REFUSALS);
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Asks, and reads the head alone. */
async function ask(owner: string): Promise<{ head: string; socket: Socket }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.write(`GET /${owner} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { head: head.toString('latin1'), socket };
}

/** Reads so many bytes ten times a second. */
function readSlowly(socket: Socket, bytes: number): void {
  const timer = setInterval(() => void socket.read(bytes), 100);
  socket.once('close', () => clearInterval(timer));
}

describe('downloads', () => {
  it('are one of an owner at a time, whose place is free when nobody reads on', async () => {
    const { socket } = await ask('one');
    expect((await ask('one')).head).toContain('one of yours');
    socket.destroy();
    for (;;) {
      const { head } = await ask('one');
      if (head.includes('200 OK')) break;
      await pause(20);
    }
  });

  it('give way to others when they are not read, the longest first, and break off', async () => {
    const [first, second] = [await ask('one'), await ask('two')];
    expect((await ask('three')).head).toContain('too many');
    await pause(2_500);
    expect((await ask('three')).head).toContain('200 OK');
    expect((await ask('two')).head).toContain('one of yours');
    let text = '';
    first.socket.on('data', (piece: Buffer) => (text = (text + piece.toString('latin1')).slice(-5)));
    await once(first.socket.resume(), 'close');
    // Chunks without their last one.
    expect(text).not.toBe('0\r\n\r\n');
    second.socket.destroy();
  });

  it('keep their place while they are read, or wait for the database', async () => {
    const { socket } = await ask('one');
    readSlowly(socket, 64 * 1024);
    expect((await ask('late')).head).toContain('200 OK');
    await pause(3_000);
    expect((await ask('three')).head).toContain('too many');
    socket.destroy();
  });
});
