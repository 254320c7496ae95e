import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { Connections } from './connections.js';
import { limitInFlight } from './in-flight-limit.js';

/** A quarter of what one network's answers may take, and more than the buffers of a connection grow to (4 MiB). */
const LENGTH = 8 * 1024 * 1024;
const text = 'x'.repeat(LENGTH);
const PROXY = '127.0.0.9';
/** Answers that are more than one network's part, each of them less than the buffers of a connection. */
const TOGETHER = 150;
const SHORT = 256 * 1024;

let fastify: FastifyInstance;
/** Of callers that do not read, in the order in which they asked: the server's ends. */
let ends: Socket[];
let callers: Socket[];

beforeEach(async () => {
  let waiting = 0;
  let goOn = (_text: string) => undefined as void;
  const together = new Promise<string>((resolve) => (goOn = resolve));
  fastify = Fastify();
  ends = [];
  callers = [];
  const settings = { trustedProxies: [PROXY], mostConnections: 200, mostConnectionsPerAddress: 200 };
  limitInFlight(fastify, 200, new Connections(settings, fastify.server));
  fastify.get('/', (request, reply) => {
    ends.push(request.raw.socket);
    reply.send(text);
  });
  fastify.get('/together', ({ raw }) => {
    ends.push(raw.socket);
    if ((waiting += 1) === TOGETHER) goOn(text.slice(0, SHORT));
    return together;
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  callers.forEach((socket) => socket.destroy());
  await fastify.close();
});

/** One after another. */
async function ask(count: number, from: string): Promise<void> {
  const { port } = fastify.server.address() as AddressInfo;
  for (const due = ends.length + count; ends.length < due;) {
    const before = ends.length;
    const socket = connect({ host: '127.0.0.1', port, localAddress: from });
    callers.push(socket.on('error', () => undefined));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    while (ends.length === before) await new Promise((resume) => setTimeout(resume, 5));
  }
  await new Promise((resume) => setTimeout(resume, 50));
}

const closed = () => ends.flatMap(({ destroyed }, index) => (destroyed ? [index] : []));

describe('answers that wait to be read', () => {
  it('of one network give way to its next ones, the longest waiting first, and to nobody else’s', async () => {
    await ask(1, '127.0.0.3');
    await ask(3, '127.0.0.2');
    expect(closed()).toEqual([]);
    await ask(2, '127.0.0.2');
    expect(closed()).toEqual([1, 2]);
  });

  it('of all networks give way to the next ones', async () => {
    for (const from of ['127.0.0.2', '127.0.0.3']) await ask(3, from);
    await ask(2, '127.0.0.4');
    expect(closed()).toEqual([0]);
  });

  it('of a trusted proxy count only towards the bound of all', async () => {
    await ask(7, PROXY);
    expect(closed()).toEqual([]);
    await ask(1, PROXY);
    expect(closed()).toEqual([0]);
  });

  it('do not close the connections of those who read, however many are given at once', async () => {
    const { port } = fastify.server.address() as AddressInfo;
    const bodies = Array.from({ length: TOGETHER }, async () =>
      (await fetch(`http://127.0.0.1:${port}/together`)).text(),
    );
    const lengths = new Set((await Promise.all(bodies)).map(({ length }) => length));
    expect([closed(), lengths]).toEqual([[], new Set([SHORT])]);
  });
});
