import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { boundChunks } from './body-chunks.js';

let fastify: FastifyInstance;
beforeAll(async () => {
  fastify = Fastify({ bodyLimit: 1024 * 1024 });
  boundChunks(fastify);
  fastify.post('/', ({ body }) => JSON.stringify(body).length);
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
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  await ended;
  return answer;
}

it.each([
  ['a thousand chunks of a byte', MANY.repeat(300) + '1\r\n0\r\n'.repeat(700)],
  ['a chunk for each 256 bytes', `2\r\n["\r\n${`100\r\n${'x'.repeat(256)}\r\n`.repeat(2_000)}2\r\n"]\r\n`],
])('a body may arrive in %s', async (_what, chunks) => {
  expect(await sent(chunks)).toMatch(/^HTTP\/1\.1 200 /);
});

it.each([
  ['thousands of chunks of a byte', MANY.repeat(5_000)],
  ['them behind long ones', `4000\r\n${'1'.repeat(0x4000)}\r\n${MANY.repeat(5_000)}`],
])('a body that arrives in %s is not read to its end: its connection is closed', async (_what, chunks) => {
  expect(await sent(chunks)).not.toMatch(/ 200 /);
});
