import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { MovingClock } from '../support/moving-clock.js';
import { type CashIn, PixEdge } from '../support/pix-edge.js';
import { dayBefore, unknownPayout, timerRuns } from '../support/timers.js';

/** Much more than what two sweeps overlap by, less than a token's life. */
const JUMP_MS = 50 * 60_000;

let clock: MovingClock;
let edge: PixEdge;

const isReady = async () => (await edge.get('/health/ready')).status === 200;

beforeAll(async () => {
  clock = await MovingClock.make();
  edge = await PixEdge.start(clock.settings);
}, 60_000);

afterAll(async () => {
  await edge?.stop();
  await clock?.remove();
});

describe('a sweep and a clock', () => {
  let deposit: CashIn;
  beforeEach(async () => {
    await edge.behave({ notifications: 'drop' });
    deposit = await edge.cashIn('7.00');
  });
  const isCredited = async () => {
    await edge.pay(deposit.qrCode);
    await timerRuns(edge.database, 'pix-sweep');
    await expect(edge.transaction(deposit.id)).resolves.toMatchObject({ state: 'Completed' });
  };

  it('ahead does not hide from later sweeps what comes in afterwards', async () => {
    await clock.jumpTo(JUMP_MS);
    await eventually(async () => !(await isReady()));
    await timerRuns(edge.database, 'pix-sweep');
    await clock.jumpTo(0);
    await eventually(isReady);
    await isCredited();
  }, 60_000);

  it('that was ahead once, and left its mark in the future, is swept from before', async () => {
    await edge.database.query(`update pix_sweep set swept_until = now() + interval '1 h'`);
    await isCredited();
    const ahead = await edge.database.query('select from pix_sweep where swept_until > now()');
    expect(ahead).toEqual([]);
    await assertLedgerSound(edge.database);
  }, 60_000);
});

describe('a timer of reconciliation with a forged payload', () => {
  const compared = async () => {
    const rows = await edge.database.query<{ day: string }>('select day from reconciled_day order by day');
    return rows.map(({ day }) => day);
  };

  it('skips no day since the last one of the log', async () => {
    const days = [4, 3, 2, 1].map(dayBefore);
    await edge.database.query('insert into reconciled_day (partition, day, mismatched) values (0, $1, 0)', [days[0]]);
    await timerRuns(edge.database, 'pix-reconcile', { day: days[3] });
    expect(await compared()).toEqual(days);
  }, 60_000);

  it('compares a day that was left out', async () => {
    await edge.database.query('insert into reconciled_day (partition, day, mismatched) values (0, $1, 0)', [
      dayBefore(6),
    ]);
    await timerRuns(edge.database, 'pix-reconcile', { day: dayBefore(1) });
    expect(await compared()).toEqual([6, 5, 4, 3, 2, 1].map(dayBefore));
  }, 60_000);

  it('goes on with the other days where one cannot be recorded', async () => {
    await edge.database.query('delete from reconciled_day where day = $1', [dayBefore(5)]);
    await edge.killAndRestart();
    await unknownPayout(edge.database, dayBefore(3), 300);
    await timerRuns(edge.database, 'pix-reconcile', { day: dayBefore(6) });
    expect(edge.service.output()).toContain(`"day":"${dayBefore(3)}","mismatched":1`);
    expect(edge.service.output()).toMatch(new RegExp(`"day":"${dayBefore(5)}".*a day could not be reconciled`));
    expect(await compared()).toEqual([6, 4, 3, 2, 1].map(dayBefore));
  }, 60_000);

  it.each([{ day: '' }, { day: 'x' }, { day: 7 }, { day: '0001-01-01T00:00' }, {}])(
    'goes on from the log where it has %j',
    async (payload) => {
      await timerRuns(edge.database, 'pix-reconcile', payload);
      const [timer] = await edge.database.query(`select payload from work where kind = 'pix-reconcile'`);
      expect(timer).toEqual({ payload: { day: dayBefore(1), mismatched: 0 } });
    },
    60_000,
  );
});

describe('reconciliation after days without a process', () => {
  const [yesterday, before, last] = [1, 2, 3].map(dayBefore);

  it('compares each day since the last one that was compared, and stores the last', async () => {
    await unknownPayout(edge.database, before!, 100);
    await timerRuns(edge.database, 'pix-reconcile', { day: last });
    await eventually(() => edge.service.output().includes(`"day":"${before}","mismatched":1`));
    const timer = await eventually(async () => {
      const [row] = await edge.database.query(
        `select payload from work where kind = 'pix-reconcile' and due_at > now()`,
      );
      return row;
    });
    expect(timer).toEqual({ payload: { day: yesterday, mismatched: 1 } });
    expect((await edge.get('/metrics')).body).toMatch(/^pix_reconciliation_mismatches 1$/m);
  }, 60_000);
});
