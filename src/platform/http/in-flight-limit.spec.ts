import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { Connections } from './connections.js';
import { limitInFlight } from './in-flight-limit.js';

let fastify: FastifyInstance;
beforeEach(() => {
  fastify = Fastify();
  const settings = { trustedProxies: [], mostConnections: 100, mostConnectionsPerAddress: 100 };
  limitInFlight(fastify, 1, new Connections(settings, fastify.server));
});
afterEach(() => fastify.close());

describe('the limit of requests in progress', () => {
  it('does not count those whose callers disconnect before they have arrived', async () => {
    let goOn = () => undefined as void;
    const looked = new Promise<void>((resolve) => (goOn = resolve));
    const waiting: Promise<unknown>[] = [];
    fastify.post('/', { preParsing: () => looked }, () => 'done');
    fastify.addHook('onRequest', async ({ raw }) => void waiting.push(once(raw.socket, 'close')));
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const { port } = fastify.server.address() as AddressInfo;
    for (let caller = 1; caller <= 3; caller++) {
      const socket = connect(port, '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
      while (waiting.length < caller) await new Promise((resume) => setTimeout(resume, 5));
      socket.destroy();
    }
    await Promise.all(waiting);
    goOn();
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' })).status);
    expect(answers).toEqual([200, 200, 200]);
  });

  it('does not count those whose answers wait to be read', async () => {
    let given = 0;
    fastify.get('/long', (_request, reply) => {
      reply.send('x'.repeat(8_000_000));
      given += 1;
    });
    fastify.get('/', () => 'done');
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const { port } = fastify.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    while (given < 3) await new Promise((resume) => setTimeout(resume, 5));
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    socket.destroy();
  });

  it('keeps no parsed body of those whose answers wait behind another', async () => {
    let goOn = () => undefined as void;
    const slow = new Promise<string>((resolve) => (goOn = () => resolve('done')));
    const held: { readonly body: unknown }[] = [];
    fastify.addHook('onSend', async (request) => void (request.method === 'POST' && held.push(request)));
    fastify.get('/health/live', () => slow);
    fastify.post('/', () => 'done');
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
    const body = 'Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}';
    socket.write(`GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\n${body}`);
    while (held.length === 0) await new Promise((resume) => setTimeout(resume, 5));
    expect(held[0]!.body).toBeUndefined();
    goOn();
    socket.destroy();
  });

  it('lets probes through, and nothing else that stands below their path', async () => {
    const stream = new PassThrough();
    fastify.get('/stream', (_request, reply) => void reply.send(stream));
    for (const path of ['/health/live', '/health/other']) fastify.get(path, () => 'done');
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const { port } = fastify.server.address() as AddressInfo;
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    stream.write('begins');
    await ask('/stream');
    const statuses = [
      await ask('/health/live'),
      await ask('/health/live?x=1'),
      await ask('/health/other'),
      await ask('/x'),
    ];
    expect(statuses).toEqual([200, 200, 503, 503]);
    stream.end();
  });

  it('counts a stream of unknown length until its end', async () => {
    const stream = new PassThrough();
    fastify.get('/stream', (_request, reply) => void reply.send(stream));
    fastify.get('/', () => 'done');
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    const { port } = fastify.server.address() as AddressInfo;
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    stream.write('begins');
    const streamed = await ask('/stream');
    expect((await ask('/')).status).toBe(503);
    stream.end();
    expect(await streamed.text()).toBe('begins');
    expect((await ask('/')).status).toBe(200);
  });
});
