import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';

let service: InProcessOwning;
let api: PartnerApi;
let to: string;

beforeAll(async () => {
  service = await startWithDatabase();
  await service.app.listen(0, '127.0.0.1');
  const url = await service.app.getUrl();
  const partner = await new OperatorApi(url).partner(['1000.00', '0.00']);
  api = await PartnerApi.login(url, partner.credentials);
  to = partner.accounts[1]!;
}, 60_000);

afterAll(() => service.close());

/** Microseconds of processor time for a batch of almost a mebibyte. */
async function costOf(name: string, headers: Record<string, string>, query = ''): Promise<number> {
  const items = Array.from({ length: 500 }, (_, i) => ({
    ...{ idempotencyKey: `${name}-${i}`, refAccountCredit: to, transferAmount: '0.01', note: 'x'.repeat(1_900) },
  }));
  const before = process.cpuUsage();
  const { status } = await api.post(`/accounts/transfers/batch${query}`, { items }, headers);
  const { user, system } = process.cpuUsage(before);
  expect(status).toBe(200);
  return user + system;
}

it.each(['', '?dryRun=true'])(
  'a key of the whole batch is hashed once, not for each of its items %s',
  async (query) => {
    const ratios: number[] = [];
    for (let i = 0; i < 3; i++) {
      const without = await costOf(`without-${i}`, {}, query);
      ratios.push((await costOf(`with-${i}`, { 'idempotency-key': `whole-${i}` }, query)) / without);
    }
    // A mebibyte five hundred times is more than half a second.
    expect(Math.min(...ratios)).toBeLessThan(3);
  },
);
