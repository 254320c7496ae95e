import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Asked } from '../../src/event-store/index.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';

const CHUNK = 200;
const CHUNKS = 10;

let service: InProcessOwning;
let files: PayoutFiles;
let spinning: NodeJS.Timeout | undefined;

beforeAll(async () => {
  service = await startWithDatabase();
  await service.app.listen(0, '127.0.0.1');
  const url = await service.app.getUrl();
  const partner = await new OperatorApi(url).partner(['10000.00']);
  files = new PayoutFiles(url, (await PartnerApi.login(url, partner.credentials)).token);
}, 60_000);

afterAll(async () => {
  clearInterval(spinning);
  await service.close();
});

/** Single commands come, and the event loop is in use for most of the time. */
function keepBusy(): void {
  const asked = service.app.get(Asked);
  spinning = setInterval(() => {
    asked.single += 50;
    for (const end = performance.now() + 17; performance.now() < end;);
  }, 20);
}

const chunksRun = async () => Number((await service.owner.query('select run from payout_file'))[0]?.run ?? 0);

it('a file has one chunk a turn requested while single commands keep the process busy, and the rest at once', async () => {
  keepBusy();
  const { id } = (await files.upload(payoutCsv(CHUNK * CHUNKS))).body.data;
  const seen: { run: number; at: number }[] = [];
  await eventually(
    async () => {
      const run = await chunksRun();
      if (run !== (seen.at(-1)?.run ?? 0)) seen.push({ run, at: performance.now() });
      return seen.length === 4;
    },
    { within: 20_000 },
  );
  // The first may have begun before anybody had looked at the process.
  const rests = seen.slice(1).map(({ run, at }, i) => ({ chunks: run - seen[i]!.run, ms: at - seen[i]!.at }));
  expect(rests.map(({ chunks }) => chunks)).toEqual([1, 1, 1]);
  expect(Math.min(...rests.map(({ ms }) => ms))).toBeGreaterThan(900);

  clearInterval(spinning);
  const left = CHUNKS - (await chunksRun());
  const began = performance.now();
  expect(await files.ended(id)).toMatchObject({ state: 'Completed', lines: CHUNK * CHUNKS });
  expect(performance.now() - began).toBeLessThan(left * 900);
}, 60_000);
