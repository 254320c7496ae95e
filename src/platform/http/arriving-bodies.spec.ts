import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { boundArrivals } from './arriving-bodies.js';

let fastify: FastifyInstance;
beforeAll(async () => {
  fastify = Fastify({ bodyLimit: 64 * 1024, trustProxy: true });
  boundArrivals(fastify);
  fastify.post('/', ({ body }) => JSON.stringify(body).length);
  fastify.addContentTypeParser('application/jsonl', (_request, body, done) => done(null, body));
  fastify.post('/stream', async ({ body }) => {
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) bytes += chunk.length;
    return bytes;
  });
  fastify.post('/long', { bodyLimit: 1024 * 1024 }, ({ body }) => JSON.stringify(body).length);
  await fastify.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => fastify.close());

const MANY = '1\r\n1\r\n';

/** What came back until the connection was closed. */
async function sent(chunks: string): Promise<string> {
  const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString())).on('error', () => undefined);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  const head = 'POST /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  await ended;
  return answer;
}

it.each([
  ['250 chunks of a byte', MANY.repeat(100) + '1\r\n0\r\n'.repeat(150)],
  ['a chunk for each 256 bytes', `2\r\n["\r\n${`100\r\n${'x'.repeat(256)}\r\n`.repeat(2_000)}2\r\n"]\r\n`],
])('a body may arrive in %s', async (_what, chunks) => {
  expect(await sent(chunks)).toMatch(/^HTTP\/1\.1 200 /);
});

it.each([
  ['thousands of chunks of a byte', MANY.repeat(5_000)],
  ['them behind long ones', `4000\r\n${'1'.repeat(0x4000)}\r\n${MANY.repeat(5_000)}`],
])('a body that arrives in %s ends its connection', async (_what, chunks) => {
  expect(await sent(chunks)).not.toMatch(/ 200 /);
});

it.each([
  ['the bytes of a network', '5000\r\n', 'x'.repeat(0x5000), 1_000],
  ['a chunk for each 256 bytes', '50\r\n', 'x'.repeat(0x50), 50_000],
])('a body that is read as it arrives may be more than %s', async (_what, size, text, chunks) => {
  const { port } = fastify.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const head = 'POST /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/jsonl\r\n';
  socket.end(`${head}Transfer-Encoding: chunked\r\n\r\n${`${size}${text}\r\n`.repeat(chunks)}0\r\n\r\n`);
  const answer = (await socket.setEncoding('utf8').toArray()).join('');
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 200 [^]*\r\n${text.length * chunks}$`));
});

describe('of bodies that are not finished', () => {
  const BODY = JSON.stringify('x'.repeat(64 * 1024 - 2));
  const sockets: Socket[] = [];
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  /** Sends all but the last byte. @returns what is answered once that comes, too */
  function begin(network: string, path = '/'): Promise<() => Promise<string>> {
    return send(network, path, `Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, -1)}`, '"');
  }

  /** The same with chunks of a byte. */
  function drip(network: string): Promise<() => Promise<string>> {
    return send(network, '/', `Transfer-Encoding: chunked\r\n\r\n${MANY.repeat(240)}`, '0\r\n\r\n');
  }

  async function send(network: string, path: string, first: string, last: string): Promise<() => Promise<string>> {
    const arrives = once(fastify.server, 'connection');
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    let answer = '';
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (bytes) => (answer += bytes.toString())).on('error', () => undefined);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: ${network}\r\n`;
    const sent = `${head}Content-Type: application/json\r\n${first}`;
    socket.write(sent);
    const [side] = (await arrives) as [Socket];
    while (side.bytesRead < sent.length) await new Promise((resume) => setImmediate(resume));
    return async () => {
      socket.write(last);
      await ended;
      return answer.slice(0, 'HTTP/1.1 200'.length);
    };
  }

  it('the oldest of a network lose their connections, beyond 16 MiB', async () => {
    const other = await begin('198.51.100.1');
    const long = await begin('192.0.2.1', '/long');
    const bodies = [];
    for (let i = 0; i < 300; i++) bodies.push(await begin('192.0.2.1'));
    expect(await Promise.all([other(), long()])).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    const answers = await Promise.all(bodies.map((finish) => finish()));
    expect(answers).toEqual([...Array<string>(44).fill(''), ...Array<string>(256).fill('HTTP/1.1 200')]);
    // What has arrived does not count.
    expect(await (await begin('192.0.2.1'))()).toBe('HTTP/1.1 200');
  });

  it('a chunk counts with what it takes itself', async () => {
    const other = await drip('198.51.100.1');
    const bodies = [];
    for (let i = 0; i < 120; i++) bodies.push(await drip('192.0.2.1'));
    expect(await other()).toBe('HTTP/1.1 200');
    const answers = await Promise.all(bodies.map((finish) => finish()));
    // 240 chunks of 640 bytes: 109 such bodies are 16 MiB.
    expect(answers).toEqual([...Array<string>(11).fill(''), ...Array<string>(109).fill('HTTP/1.1 200')]);
  });

  it('the oldest of all do, beyond 64 MiB', async () => {
    const bodies = [];
    for (let i = 0; i < 1_100; i++) bodies.push(await begin(`192.0.2.${i % 10}`));
    const answers = await Promise.all(bodies.map((finish) => finish()));
    expect(answers).toEqual([...Array<string>(76).fill(''), ...Array<string>(1_024).fill('HTTP/1.1 200')]);
  });
});
