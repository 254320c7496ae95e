import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

const LOGIN = 'POST /partners-int/login HTTP/1.1';
const PIECE = 64 * 1024;

let database: TestDatabase;
let service: Service;
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
}, 60_000);

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
  await database.drop();
});

/** A caller that sends first and reads afterwards, as most HTTP clients do. */
async function open(): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, 'connect');
  // What it fails with, a writer or a reader is told.
  socket.on('error', () => undefined);
  return socket.pause();
}

/** @throws what the connection fails with */
async function send(socket: Socket, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())));
}

/** What comes until the connection ends, or breaks. */
async function read(socket: Socket): Promise<string> {
  const received: Buffer[] = [];
  try {
    for await (const chunk of socket) received.push(chunk as Buffer);
  } catch {
    // What came before stands.
  }
  return Buffer.concat(received).toString('latin1');
}

const head = (...lines: string[]) => [...lines, 'Host: x', 'Content-Type: application/json', '', ''].join('\r\n');

describe('an answer that comes before the request is whole', () => {
  it.each<[string, string, number]>([
    ['is too long', head(LOGIN, `Content-Length: ${32 * PIECE}`), 413],
    ['is too long, and compressed', head(LOGIN, 'Content-Encoding: gzip', `Content-Length: ${32 * PIECE}`), 413],
    ['comes in chunks, too many of them', head(LOGIN, 'Transfer-Encoding: chunked'), 413],
    ['goes to no route', head('POST /nowhere HTTP/1.1', 'Connection: close', `Content-Length: ${32 * PIECE}`), 404],
    ['expects what is not supported', head(LOGIN, 'Expect: more', `Content-Length: ${32 * PIECE}`), 417],
    ['has a head that is no HTTP', head(LOGIN, 'Bad Name: x', `Content-Length: ${32 * PIECE}`), 400],
  ])('reaches a caller who sends on, where the body %s', async (_, text, status) => {
    const socket = await open();
    await send(socket, text);
    const isChunked = text.includes('chunked');
    for (let i = 0; i < 32; i++) {
      const piece = ' '.repeat(PIECE);
      await send(socket, isChunked ? `${PIECE.toString(16)}\r\n${piece}\r\n` : piece);
      await pause(2);
    }
    const answer = await read(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('"statusCode":"Error"');
  });

  it('is the last of its connection: a request behind it is not carried out', async () => {
    const partner = await new OperatorApi(service.url).partner(['10.00', '0.00']);
    const api = await PartnerApi.login(service.url, partner.credentials);
    const body = JSON.stringify({ refAccountCredit: partner.accounts[1]!, transferAmount: '1.00' });
    const transfer = head(
      'POST /partners-int/accounts/transfer HTTP/1.1',
      `Authorization: Bearer ${api.token}`,
      `Content-Length: ${body.length}`,
    );
    const alone = await open();
    await send(alone, transfer.replace('Host', 'Connection: close\r\nHost') + body);
    expect(await read(alone)).toMatch(/^HTTP\/1.1 201 /);

    const socket = await open();
    await send(socket, head(LOGIN, `Content-Length: ${2 * PIECE}`));
    const answers = read(socket);
    await send(socket, ' '.repeat(2 * PIECE));
    await send(socket, transfer + body).catch(() => undefined);
    expect((await answers).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413']);
    const accounts = await api.get('/accounts');
    expect(accounts.body.data.items.map(({ balance }: any) => balance.available)).toEqual(['9.00', '1.00']);
  });

  it('is not waited for without end', async () => {
    const socket = await open();
    await send(socket, head(LOGIN, `Content-Length: ${1_000_000 * PIECE}`));
    const began = Date.now();
    const sendOn = async () => {
      for (;;) {
        await send(socket, ' ');
        await pause(50);
      }
    };
    await expect(sendOn()).rejects.toMatchObject({ code: expect.stringMatching(/EPIPE|ECONNRESET/) });
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});
