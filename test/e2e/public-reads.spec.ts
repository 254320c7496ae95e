import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PixEdge, PUBLIC_URL } from '../support/pix-edge.js';
import { type RawAnswer, RawRequests } from '../support/raw-requests.js';

/** Short forms of `node bench/public-reads.ts`, with controls measured beside them. */
const CLIENTS = 64;

let edge: PixEdge;
let raw: RawRequests;
let images: string[];
let receipts: string[];

beforeAll(async () => {
  edge = await PixEdge.start({ TRUSTED_PROXIES: '127.0.0.1' });
  raw = new RawRequests(edge.service.url);
  const charges = await Promise.all(Array.from({ length: CLIENTS }, () => edge.cashIn('1.00')));
  images = charges.map(({ qrCodeLocation }) => qrCodeLocation.replace(PUBLIC_URL, ''));
  const paid = await edge.cashIn('1.00');
  await edge.pay(paid.qrCode);
  await edge.reaches(paid.id, 'Completed');
  receipts = [(await edge.receiptAddress(paid.id)).replace(PUBLIC_URL, '')];
}, 60_000);
afterAll(async () => {
  raw?.end();
  await edge?.stop();
});

const fetchFrom = (address: string, path: string): Promise<RawAnswer> => {
  const { head, rest } = raw.parts({ method: 'GET', path });
  return raw.send(`${head}\r\nX-Forwarded-For: ${address}${rest}`);
};

/** The median of transfers' times while clients ask for something, each again as soon as it is answered. */
async function whileFetched(paths: readonly string[]): Promise<number> {
  let over = false;
  let served = 0;
  const client = async (_: unknown, n: number) => {
    while (!over) {
      const { status, retryAfter } = await fetchFrom('192.0.2.1', paths[n % paths.length]!);
      if (status === 200) served += 1;
      // On a machine without a processor to spare the drawing waits first.
      expect(status === 200 || (status === 503 && retryAfter)).toBe(true);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  const times: number[] = [];
  for (let i = 0; i < 25; i++) {
    const began = performance.now();
    expect((await edge.api.transfer(edge.partner.accounts[1]!, '1.00')).status).toBe(201);
    times.push(performance.now() - began);
  }
  over = true;
  await clients;
  expect(served).toBeGreaterThan(0);
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

describe('the thread that draws', () => {
  it('has a lower priority than the one that answers, once it has loaded what it needs', async () => {
    expect((await fetchFrom('198.51.100.1', receipts[0]!)).status).toBe(200);
    const { pid } = edge.service.process;
    const niceOf = (thread: string) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    };
    const own = niceOf(String(pid));
    const lower = readdirSync(`/proc/${pid}/task`).filter((thread) => niceOf(thread) > own);
    expect(lower).toHaveLength(1);
  });
});

describe('64 clients without a token', () => {
  it.each([
    ['one image', () => images.slice(0, 1)],
    ['an image each', () => images],
    ['receipts', () => receipts],
  ])(
    'that fetch %s delay transfers no more than the same number that fetch the key set, which is only sent',
    async (_, paths) => {
      const control = await whileFetched(['/pix/jwks']);
      const median = await whileFetched(paths());
      expect(median / control).toBeLessThan(3);
    },
    60_000,
  );
});

describe('a flood of one address on what is drawn', () => {
  it('lets another address in between, and is refused 503 with Retry-After beyond what may wait', async () => {
    let answered = 0;
    const flood = Array.from({ length: 700 }, async () => {
      const answer = await fetchFrom('192.0.2.1', receipts[0]!);
      if (answer.status === 200) answered += 1;
      return answer;
    });
    await Promise.race(flood);
    const before = answered;
    expect((await fetchFrom('198.51.100.1', receipts[0]!)).status).toBe(200);
    // Those that were under way when it asked, and one turn of the flood for one of its own.
    expect(answered - before).toBeLessThan(32);
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
  }, 60_000);
});
