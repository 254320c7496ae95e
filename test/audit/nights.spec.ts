import { describe, expect, it } from '@jest/globals';
import { copyForEach, type LedgerCopy } from '../support/ledger-fixture.js';
import { makePaymentsLedger } from '../support/payments-ledger.js';
import { dayBefore } from '../support/timers.js';

let copy: LedgerCopy;
copyForEach((given) => ({ copy } = given), makePaymentsLedger);

/** Days and timers that verify misses. */
async function missing(): Promise<string[]> {
  const { report } = await copy.verify();
  return report.divergences
    .filter(({ expected }: any) => /that was reconciled$|that never ends$/.test(expected))
    .map(({ subject }: any) => subject.replace(/^work .*\//, ''))
    .sort();
}

/** The ledger is as old as that; the rest of it stays as it was. */
async function beganBefore(days: number): Promise<void> {
  await copy.query('alter table event disable trigger all');
  await copy.query(`update event set time = now() - make_interval(days => $1) where partition = 0 and position = 1`, [
    days,
  ]);
}
const compareAgain = (due: string, payload: object | null = null) =>
  copy.query(`update work set due_at = now() + $1::interval, payload = $2 where kind = 'pix-reconcile'`, [
    due,
    JSON.stringify(payload),
  ]);
const reconciled = (...days: readonly string[]) =>
  copy.query(
    `insert into reconciled_day (partition, day, mismatched) select 0, day, 0 from unnest($1::text[]) as d (day)
     on conflict do nothing`,
    [days],
  );

describe('verify', () => {
  it('tells since when the nights compare nothing, unless they do soon', async () => {
    await beganBefore(5);
    await copy.query('delete from reconciled_day');
    await compareAgain('20 hours');
    expect(await missing()).toEqual([`day ${dayBefore(5)}`]);
    await compareAgain('-3 days');
    expect(await missing()).toEqual([]);
    await reconciled(dayBefore(4), dayBefore(3));
    await compareAgain('20 hours', { day: dayBefore(1), mismatched: 0 });
    expect(await missing()).toEqual([`day ${dayBefore(2)}`]);
  }, 60_000);

  it('misses no day that an earlier version compared, or whose time has not come', async () => {
    await beganBefore(5);
    await copy.query('delete from reconciled_day');
    await compareAgain('20 hours', { day: dayBefore(1), mismatched: 0 });
    expect(await missing()).toEqual([]);
    await reconciled(dayBefore(2), dayBefore(-5));
    expect(await missing()).toEqual([]);
  }, 60_000);

  it('tells of each day that was left out', async () => {
    await reconciled(dayBefore(9), dayBefore(8), dayBefore(6), dayBefore(4), dayBefore(3), dayBefore(2));
    expect(await missing()).toEqual([dayBefore(7), dayBefore(5)].map((day) => `day ${day}`));
  }, 60_000);

  it('tells of each timer that is gone', async () => {
    await copy.query(`delete from work where kind in ('pix-sweep', 'pix-reconcile', 'med-sweep')`);
    expect(await missing()).toEqual(['med-sweep', 'pix-reconcile', 'pix-sweep']);
  }, 60_000);

  it('misses no timer where no process has worked, nor one that no report has needed', async () => {
    await copy.query(`delete from work where kind in ('pix-sweep', 'pix-reconcile', 'med-sweep')`);
    await copy.query('delete from subscription where partition = 0');
    expect(await missing()).toEqual([]);
    await copy.query(`insert into subscription (partition, consumer, position) values (0, 'pix-rail', 1)`);
    await copy.query('delete from infraction');
    expect(await missing()).toEqual(['pix-reconcile', 'pix-sweep']);
  }, 60_000);
});
