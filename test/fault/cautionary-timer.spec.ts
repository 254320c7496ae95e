import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { MovingClock } from '../support/moving-clock.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';

const HOUR_MS = 3_600_000;

let clock: MovingClock;
let edge: PixEdge;
let uid: string;
let credentials: TestPartner['credentials'];

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

/** A person's account with 40.00 that are blocked for 72 hours. */
let hold: string;
beforeEach(async () => {
  const operator = new OperatorApi(edge.service.url);
  const person = { name: 'Ana', taxNumber: '39053344705' };
  ({ uid } = await operator.post(`/partners/${edge.partner.uid}/accounts`, person));
  credentials = await operator.post(`/accounts/${uid}/access-keys`, {});
  edge.api = await PartnerApi.login(edge.service.url, credentials);
  const { id, qrCode } = await edge.cashIn('40.00');
  await edge.pay(qrCode);
  await edge.reaches(id, 'Completed');
  const [row] = await edge.database.query<{ id: string }>('select id from hold where account_uid = $1', [uid]);
  hold = row!.id;
  await eventually(hasTimer);
});

const hasTimer = async () => (await edge.database.query('select from work where id = $1', [hold])).length === 1;
const buckets = async () => {
  const rows = await edge.database.query('select available, held, blocked from account where uid = $1', [uid]);
  return rows[0] as { available: string; held: string; blocked: string };
};
const isReleased = async () => (await buckets()).available === '4000';
const steps = () =>
  edge.database.query<{ type: string; amount: string; actor: string; cause: string | null }>(
    `select type, data->>'amount' as amount, metadata->>'actor' as actor, data->>'cause' as cause
     from event where stream = $1 and type <> 'HoldPlaced' order by version`,
    [`hold-${hold}`],
  );
const EXPIRED = { type: 'HoldReleased', amount: '4000', actor: 'timer', cause: 'Expired' };

describe('the timer of a blocked deposit', () => {
  it('releases it when its time is over, and not an hour before', async () => {
    await clock.advance(71 * HOUR_MS);
    await eventually(async () => {
      const [{ due }] = (await edge.database.query(
        `select due_at - interval '1 hour 1 minute' < $2 as due from work where id = $1`,
        [hold, clock.now()],
      )) as [{ due: boolean }];
      return due;
    });
    const polled = performance.now() + 1_000;
    await eventually(async () => performance.now() > polled);
    expect(await buckets()).toEqual({ available: '0', held: '0', blocked: '4000' });
    await clock.advance(HOUR_MS + 1_000);
    await eventually(isReleased);
    expect(await steps()).toEqual([EXPIRED]);
    await eventually(async () => !(await hasTimer()));
  }, 60_000);

  it.each([
    ['before it is due', 0],
    ['while it is at work', 72 * HOUR_MS],
  ])(
    'survives a process that is killed %s: it is released once',
    async (_moment, ahead) => {
      await clock.advance(ahead);
      await edge.killAndRestart();
      if (ahead === 0) {
        expect(await hasTimer()).toBe(true);
        await clock.advance(72 * HOUR_MS);
      }
      await clock.advance(1_000);
      await eventually(isReleased, { within: 30_000 });
      expect(await steps()).toEqual([EXPIRED]);
    },
    60_000,
  );

  it('stays for a hold that the operator ends while a return is under way: refused, it is blocked again until then', async () => {
    await edge.behave({ refunds: 'hold' });
    const path = `/admin/accounts/${uid}/holds/${hold}`;
    const order = (act: string, body: object) =>
      call(edge.service.url, 'POST', `${path}/${act}`, { token: ADMIN_TOKEN, body });
    const { body } = await order('return', { amount: '25.00' });
    expect((await order('release', {})).body.data).toMatchObject({ amount: '15.00', status: 'Closed' });
    await eventually(async () => (await edge.force(body.data.transaction.id, 'fail')).status === 200);
    await edge.reaches(body.data.transaction.id, 'Error');
    expect(await buckets()).toEqual({ available: '1500', held: '0', blocked: '2500' });
    await followed(edge.database);
    expect(await hasTimer()).toBe(true);
    await clock.advance(72 * HOUR_MS + 1_000);
    await eventually(isReleased);
    expect(await steps()).toMatchObject([
      { type: 'HoldDrawn', amount: '2500', actor: expect.stringMatching(/^operator:/) },
      { type: 'HoldReleased', amount: '1500', actor: expect.stringMatching(/^operator:/) },
      { type: 'HoldRestored', amount: '2500' },
      { ...EXPIRED, amount: '2500' },
    ]);
    await eventually(async () => !(await hasTimer()));
  }, 60_000);

  it('releases at once what the rail refuses to bring back when the time is over', async () => {
    await edge.behave({ refunds: 'hold' });
    const path = `/admin/accounts/${uid}/holds/${hold}/return`;
    const { body } = await call(edge.service.url, 'POST', path, { token: ADMIN_TOKEN, body: { amount: '10.00' } });
    await clock.advance(73 * HOUR_MS);
    await eventually(async () => (await steps()).at(-1)!.type === 'HoldReleased');
    expect(await buckets()).toEqual({ available: '3000', held: '1000', blocked: '0' });
    await eventually(async () => (await edge.force(body.data.transaction.id, 'fail')).status === 200);
    await eventually(isReleased);
    expect((await steps()).map(({ type, amount }) => [type, amount])).toEqual([
      ['HoldDrawn', '1000'],
      ['HoldReleased', '3000'],
      ['HoldRestored', '1000'],
      ['HoldReleased', '1000'],
    ]);
  }, 60_000);

  // The last one: the log's time does not run back with the clock.
  it('is there again for a hold that it found ended by a clock ahead, and whose money comes back', async () => {
    await edge.behave({ refunds: 'hold' });
    const path = `/admin/accounts/${uid}/holds/${hold}/return`;
    const { body } = await call(edge.service.url, 'POST', path, { token: ADMIN_TOKEN, body: {} });
    await eventually(async () => (await steps()).length === 1);
    await followed(edge.database);
    await clock.advance(73 * HOUR_MS);
    await eventually(async () => !(await hasTimer()));
    await clock.advance(-73 * HOUR_MS);
    // By its own clock: a header of its answers may have the time of a moment before.
    const login = () => call(edge.service.url, 'POST', '/partners-int/login', { body: credentials });
    const end = async () => Date.parse((await login()).body.data.expiresAt);
    await eventually(async () => (await end()) < clock.now().getTime() + 2 * HOUR_MS);
    await eventually(async () => (await edge.force(body.data.transaction.id, 'fail')).status === 200);
    await eventually(hasTimer);
    expect(await buckets()).toEqual({ available: '0', held: '0', blocked: '4000' });
    await clock.advance(80 * HOUR_MS);
    await eventually(isReleased, { within: 20_000 });
    expect((await steps()).map(({ type }) => type)).toEqual(['HoldDrawn', 'HoldRestored', 'HoldReleased']);
  }, 60_000);
});
