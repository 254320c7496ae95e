import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { call } from '../support/api.js';
import { efiWorld, type EfiWorld } from '../support/efi-world.js';
import { eventually } from '../support/eventually.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { timerRuns } from '../support/timers.js';

/** Of a gateway in front of the PSP, without a body of the PSP's. */
const BARE = { kind: 'status', status: 404 } as const;

let world: EfiWorld;
beforeAll(async () => {
  world = await efiWorld('100.00');
}, 60_000);
afterAll(() => world.stop());

async function paid(): Promise<string> {
  const id = await world.payOut('10.00');
  await world.completed(id);
  return id;
}

it('a 404 without a name is no empty list: the comparison of a day says that the rail is away', async () => {
  const { psp, service, database } = world;
  await paid();
  await eventually(async () => {
    const [row] = await database.query<{ n: number }>('select count(*)::int as n from pix_movement');
    return row!.n === 1;
  });
  const now = new Date();
  await psp.fail(/enviados\?.*status=REALIZADO/, BARE);
  const day = new Date(now.getTime() - 3 * 3_600_000).toISOString().slice(0, 10);
  const answer = await call(service.url, 'GET', `/admin/reconciliation?date=${day}`, { token: ADMIN_TOKEN });
  await psp.forgetFaults();
  expect([answer.status, answer.body?.data?.mismatches]).toEqual([503, undefined]);
}, 90_000);

it('nor is it for a sweep: money that came back meanwhile is swept afterwards', async () => {
  const { psp, api, database } = world;
  const id = await paid();
  await psp.callbacks({ on: false });
  await psp.sendBack(txidOf(id), '4.00');
  for (let n = 0; n < 60; n++) await psp.fail(/enviados\?.*devolucaoPresente=true/, BARE);
  await timerRuns(database, 'pix-sweep');
  await psp.forgetFaults();
  // It lasts for longer than sweeps overlap: five minutes pass.
  await database.query(`update pix_sweep set swept_until = swept_until + interval '5 minutes'`);
  await timerRuns(database, 'pix-sweep');
  const { body } = await api.get('/accounts/transactions?type=Refund');
  expect(body.data.items).toHaveLength(1);
}, 90_000);
