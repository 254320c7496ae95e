import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerCalls, LinkClient, NotTaken } from './link.js';

/** What each call is answered with, all in one turn. */
const ANSWERS: Record<string, unknown> = { data: 1, other: 2, code: () => 3 };

let server: Server;
let client: LinkClient;

beforeEach(async () => {
  const waiting: (() => void)[] = [];
  server = createServer((socket) =>
    answerCalls(socket, (kind, together) => {
      if (kind === 'unknown') throw new TypeError('there is no such command');
      const all = new Promise<void>((resolve) => {
        if (waiting.push(resolve) === together) waiting.splice(0).forEach((answer) => answer());
      });
      return all.then(() => ANSWERS[kind]);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new LinkClient(connect((server.address() as AddressInfo).port, '127.0.0.1'), 1_000, () => undefined);
});

afterEach(() => {
  client.close();
  server.close();
});

describe('answers of one turn', () => {
  it.each([[['code', 'data', 'other']], [['data', 'code', 'other']], [['data', 'other', 'code']]])(
    'all arrive, where one of %j cannot be sent',
    async (kinds) => {
      const calls = kinds.map((kind) => client.call(kind, kinds.length));
      const ended = await Promise.allSettled(calls);
      expect(ended).toEqual(
        kinds.map((kind) =>
          kind === 'code'
            ? { status: 'rejected', reason: expect.objectContaining({ name: 'TypeError' }) }
            : { status: 'fulfilled', value: ANSWERS[kind] },
        ),
      );
    },
  );
});

it('refuses what throws at once, as a command of another build does, and answers on', async () => {
  await expect(client.call('unknown', 1)).rejects.toBeInstanceOf(NotTaken);
  expect(await client.call('data', 1)).toBe(1);
});
