import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { Connections } from './connections.js';
import { limitInFlight } from './in-flight-limit.js';
import { AnonymousPace, isUncounted, paceAnonymous } from './anonymous-pace.js';

describe('the pace of answers to anybody', () => {
  const waits = (pace: AnonymousPace, network: string, times: number, now: number) =>
    Array.from({ length: times }, () => pace.wait(network, 1, now));

  it("lets a second's go at once, and then one after the other", () => {
    const pace = new AnonymousPace(4);
    expect(waits(pace, 'a', 6, 10_000)).toEqual([0, 0, 0, 0, 250, 500]);
    expect(waits(pace, 'a', 2, 10_400)).toEqual([350, 600]);
    expect(waits(pace, 'a', 5, 60_000)).toEqual([0, 0, 0, 0, 250]);
  });

  it('is apart for each network', () => {
    const pace = new AnonymousPace(1);
    expect(waits(pace, 'a', 3, 10_000)).toEqual([0, 1_000, 2_000]);
    expect(pace.wait('b', 1, 10_000)).toBe(0);
  });

  it('takes a long one for several', () => {
    const pace = new AnonymousPace(10);
    expect([pace.wait('a', 12, 10_000), pace.wait('a', 1, 10_000)]).toEqual([200, 300]);
  });

  it('lets none wait for more than five seconds, however many come', () => {
    const pace = new AnonymousPace(10);
    expect(Math.max(...waits(pace, 'a', 1_000, 10_000))).toBe(5_000);
    expect(pace.wait('a', 1, 16_100)).toBe(0);
  });
});

describe('what no other limit counts', () => {
  it.each([
    ['/partners-int/accounts', 401],
    ['/partners-int/accounts', 429],
    ['/pix/payload/0', 404],
    ['/pix/payload/0', 503],
    ['/pix/jwks?again', 200],
    ['/openapi.json', 200],
    ['/console/assets/index.js', 200],
    ['/health/ready', 503],
    ['/audit/events', 503],
    ['/health/live', 200],
    ['/a/public/route/to/come', 200],
  ])('is %s with %i', (url, status) => expect(isUncounted(url, status)).toBe(true));

  it.each([
    ['/partners-int/login', 200],
    ['/partners-int/accounts', 503],
    ['/pix/payload/0', 200],
    ['/pix/qrcode/0', 200],
    ['/pix/notifications/token', 200],
    ['/pix/notifications/token', 503],
    ['/sandbox/pix/payments', 200],
  ])('is not %s with %i', (url, status) => expect(isUncounted(url, status)).toBe(false));
});

describe('answers that wait', () => {
  let fastify: FastifyInstance;
  let url: string;
  let asked = 0;
  beforeEach(async () => {
    asked = 0;
    fastify = Fastify();
    const settings = { trustedProxies: [], mostConnections: 100, mostConnectionsPerAddress: 100 };
    const given = limitInFlight(fastify, 1, new Connections(settings, fastify.server));
    paceAnonymous(fastify, 1, ({ headers }) => 'x-known' in headers, given);
    fastify.get('/', () => 'done');
    fastify.get('/pix/payload/0', () => 'done');
    fastify.get('/pix/payload/:txid', (_request, reply) => reply.status(503).send({ refused: true }));
    fastify.get('/refused', (_request, reply) => {
      asked += 1;
      return reply.status(401).send({ refused: true });
    });
    await fastify.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;
  });
  afterEach(() => fastify.close());

  const status = async (path: string, headers = {}) => (await fetch(`${url}${path}`, { headers })).status;
  /** The first goes at once, each further one waits for a second more. */
  const refused = async (times: number) => {
    const answers = [];
    for (let i = 1; i <= times; i++) {
      answers.push(status('/refused'));
      while (asked < i) await new Promise((resume) => setTimeout(resume, 5));
    }
    return answers;
  };

  it('hold no room for requests in progress, and nobody who is known', async () => {
    const answers = await refused(4);
    let isOver = false;
    const last = answers.at(-1)!.then(() => (isOver = true));
    const known = { 'x-known': 'yes' };
    expect([await status('/', known), await status('/refused', known)]).toEqual([200, 401]);
    expect(await status('/pix/payload/0')).toBe(200);
    expect(isOver).toBe(false);
    await last;
  });

  it('have the pace of their route, however its address is written', async () => {
    for (const path of ['/pix/payload/busy', '/%70ix/payload/busy']) {
      const began = performance.now();
      expect([await status(path), await status(path)]).toEqual([503, 503]);
      expect(performance.now() - began).toBeGreaterThan(900);
    }
  });

  it('go out when the server is to close', async () => {
    const answers = await refused(6);
    const began = performance.now();
    await fastify.close();
    expect(await Promise.all(answers)).toEqual([401, 401, 401, 401, 401, 401]);
    expect(performance.now() - began).toBeLessThan(3_000);
  });
});
