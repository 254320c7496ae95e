import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { acceptOnlyJson } from './json-body.js';

let fastify: FastifyInstance;
/** Requests that wait in a handler, and those that were refused. */
let waiting = 0;
let refused = 0;
let answerAll = () => undefined as void;
beforeEach(() => {
  [waiting, refused] = [0, 0];
  const answered = new Promise<void>((resolve) => (answerAll = resolve));
  fastify = Fastify({ bodyLimit: 64 * 1024, trustProxy: true });
  acceptOnlyJson(fastify);
  fastify.addHook('onError', async () => void (refused += 1));
  const handler = () => {
    waiting += 1;
    return answered;
  };
  fastify.post('/', handler);
  fastify.post('/long', { bodyLimit: 1024 * 1024 }, handler);
});
afterEach(async () => {
  answerAll();
  await fastify.close();
});

/** Sends all at once. @returns how many of them wait for their answers; the others were refused */
async function taken(networks: readonly string[], members: number, url = '/'): Promise<number> {
  const before = { waiting, all: waiting + refused };
  const payload = JSON.stringify({ unknown: Array.from({ length: members - 1 }, () => ({})) });
  for (const network of networks) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': network };
    void fastify.inject({ method: 'POST', url, headers, payload });
  }
  while (waiting + refused < before.all + networks.length) await new Promise((resume) => setTimeout(resume, 5));
  return waiting - before.waiting;
}

const ofOne = (amount: number) => Array.from({ length: amount }, () => '192.0.2.1');
const ofMany = (amount: number) => Array.from({ length: amount }, (_, n) => `198.51.100.${n}`);

describe('bodies of thousands of members', () => {
  it('are refused while those of their network take too much, and nothing else is', async () => {
    expect(await taken(ofOne(10), 20_000)).toBe(6);
    expect(await taken(ofMany(1), 20_000)).toBe(1);
    expect(await taken(ofOne(100), 1_000)).toBe(100);
    expect(await taken(ofOne(20), 20_000, '/long')).toBe(20);
    answerAll();
    while ((await taken(ofOne(1), 20_000)) === 0) await new Promise((resume) => setTimeout(resume, 5));
  });

  it('are refused while those of all networks do', async () => {
    expect(await taken(ofMany(40), 20_000)).toBe(26);
    expect(await taken(ofMany(40), 1_000)).toBe(40);
  });
});
