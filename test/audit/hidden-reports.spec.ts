import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { divergences } from '../support/ledger-cli.js';
import { PixEdge } from '../support/pix-edge.js';
import { timerRuns } from '../support/timers.js';

let edge: PixEdge;
beforeAll(async () => {
  edge = await PixEdge.start();
}, 60_000);
afterAll(() => edge?.stop());

/** A rail that tells reports only when it is asked, and sweeps that did not come for hours. */
it("a report of fraud is found by a sweep whose mark was set ahead, to the present, with the database's password", async () => {
  await edge.behave({ notifications: 'deliver' });
  const { id, qrCode } = await edge.cashIn('40.00');
  await edge.pay(qrCode);
  const { endToEndId } = await edge.reaches(id, 'Completed');
  await edge.behave({ notifications: 'drop' });
  await edge.sandbox('POST', '/infractions', { endToEndId, reason: 'Scam', details: 'Golpe' });
  await edge.database.query(
    `update sandbox.infraction set reported_at = now() - interval '3 hours', changed_at = now() - interval '3 hours'
     where end_to_end_id = $1`,
    [endToEndId],
  );
  await timerRuns(edge.database, 'med-sweep', { until: new Date().toISOString() });
  const cases = await edge.database.query('select amount from infraction where end_to_end_id = $1', [endToEndId]);
  expect(cases).toHaveLength(1);
  expect(await divergences(edge.database, '--deep')).toEqual([]);
}, 60_000);
