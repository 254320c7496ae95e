import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { MovingClock } from '../support/moving-clock.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';

const HOUR_MS = 3_600_000;

let clock: MovingClock;
let edge: PixEdge;

beforeAll(async () => {
  clock = await MovingClock.make();
  edge = await PixEdge.start(clock.settings);
  const rule = { name: 'Todos', amountAbove: '0.00' };
  await new OperatorApi(edge.service.url).post(`/partners/${edge.partner.uid}/cautionary-rules`, rule);
}, 60_000);

afterAll(async () => {
  if (edge) await assertLedgerSound(edge.database);
  await edge?.stop();
  await clock?.remove();
});

it('what a rule blocked is released at its time, though a clock was ahead while all of it was on its way back', async () => {
  const { database, service } = edge;
  const operator = new OperatorApi(service.url);
  const person = { name: 'Ana', taxNumber: '39053344705' };
  const { uid } = await operator.post(`/partners/${edge.partner.uid}/accounts`, person);
  edge.api = await PartnerApi.login(service.url, await operator.post(`/accounts/${uid}/access-keys`, {}));
  const { id, qrCode } = await edge.cashIn('40.00');
  await edge.pay(qrCode);
  await edge.reaches(id, 'Completed');
  const [hold] = await database.query<{ id: string }>('select id from hold where account_uid = $1', [uid]);
  const hasTimer = async () => (await database.query('select from work where id = $1', [hold!.id])).length === 1;
  const buckets = async () =>
    (await database.query('select available, held, blocked from account where uid = $1', [uid]))[0];
  await eventually(hasTimer);

  await edge.behave({ refunds: 'hold' });
  const path = `/admin/accounts/${uid}/holds/${hold!.id}/return`;
  const { body } = await call(service.url, 'POST', path, { token: ADMIN_TOKEN, body: {} });
  await eventually(async () => (await database.query('select from sandbox.refund_out')).length === 1);
  await followed(database);

  // The timer finds a hold that has ended.
  await clock.advance(73 * HOUR_MS);
  await eventually(async () => !(await hasTimer()));
  await clock.advance(-73 * HOUR_MS);
  const told = async () => Date.parse((await fetch(`${service.url}/health/live`)).headers.get('date')!);
  await eventually(async () => Math.abs((await told()) - Date.now()) < HOUR_MS);

  // The rail refuses: the money is blocked again, for what is left of the time.
  const refund = body.data.transaction.id as string;
  await eventually(async () => (await edge.force(refund, 'fail')).status === 200);
  await eventually(hasTimer);
  expect(await buckets()).toEqual({ available: '0', held: '0', blocked: '4000' });

  await clock.advance(80 * HOUR_MS);
  await eventually(async () => (await buckets())!.available === '4000', { within: 20_000 });
}, 90_000);
