import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { startService } from '../support/service.js';

const READ = /^GET \/v2\/gn\/config/;
const WRITE = /^PUT \/v2\/gn\/config/;

let world: EfiWorld;
beforeAll(async () => {
  world = await efiWorld('100.00');
}, 60_000);
afterAll(() => world.stop());

it.each([
  ['without a body', undefined],
  ['of no object', 'Em manutenção'],
])(
  "at a start, a page %s in place of the account's settings ends no process and writes nothing over them",
  async (_, body) => {
    const { psp, database, settings } = world;
    const config = await eventually(async () => (await psp.config()).pix.chaves && (await psp.config()));
    const [read, written] = [(await psp.asked(READ)).length, (await psp.asked(WRITE)).length];
    await psp.fail(READ, { kind: 'status', status: 200, body });
    const second = await startService(database.url, settings);
    try {
      await eventually(async () => (await psp.asked(READ)).length >= read + 2);
      expect(second.process.exitCode).toBeNull();
      expect(await psp.config()).toEqual(config);
      expect((await psp.asked(WRITE)).length).toBe(written);
    } finally {
      await second.stop();
    }
  },
  90_000,
);

it('in place of an answer to a payout, it is in the log with what was asked, and the payout is paid once', async () => {
  const { psp, service } = world;
  const paid = (await psp.sent()).length;
  await psp.fail(/^PUT \/v3\/gn\/pix\//, { kind: 'status', status: 200 });
  await world.completed(await world.payOut('1.00'));
  const told = service
    .output()
    .split('\n')
    .filter((line) => line.includes('the call of the PSP failed'));
  expect(told.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', operation: 'send' }]);
  expect((await psp.sent()).length).toBe(paid + 1);
}, 90_000);
