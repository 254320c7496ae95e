import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertLedgerSound } from '../support/audit.js';
import { cashOutBody } from '../support/pix-bodies.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
beforeAll(async () => (edge = await PixEdge.start()), 60_000);
afterAll(() => edge.stop());

/** Milliseconds after the answer: before the rail was asked, between question and answer, and after the answer. */
const MOMENTS = [0, 15, 40, 80, 150];

describe('a process killed between the hold and the answer of the rail', () => {
  it.each(MOMENTS)(
    'after %i ms: every payout is completed once, under one EndToEndId',
    async (moment) => {
      const account = edge.partner.accounts[0]!;
      const before = Number((await edge.api.balance(account)).available);
      const bodies = [cashOutBody.account('1.00'), cashOutBody.key('1.00'), cashOutBody.keyAndAccount('1.00')];
      const answers = await Promise.all(
        [...bodies, ...bodies].map((body) => edge.api.post('/accounts/pix/cashout', body)),
      );
      const ids: string[] = answers.map(({ body }) => body.data.transaction.id);
      await new Promise((resume) => setTimeout(resume, moment));
      await edge.killAndRestart();
      for (const id of ids) await edge.reaches(id, 'Completed', 20_000);

      const atTheRail = await edge.database.query<{ end_to_end_id: string; status: string }>(
        `select p.end_to_end_id, p.status from sandbox.payment_out p join transaction t on t.end_to_end_id = p.end_to_end_id
         where t.id = any($1::uuid[])`,
        [ids],
      );
      expect(atTheRail.map(({ status }) => status)).toEqual(ids.map(() => 'Settled'));
      expect(new Set(atTheRail.map((row) => row.end_to_end_id)).size).toBe(ids.length);
      const [all] = await edge.database.query<{ n: string }>('select count(*) as n from sandbox.payment_out');
      const [ours] = await edge.database.query<{ n: string }>(
        `select count(*) as n from transaction where type = 'CashOut'`,
      );
      expect(all!.n).toBe(ours!.n);
      const completions = await edge.database.query(
        `select 1 from event where type = 'CashOutCompleted' and data->>'id' = any($1::text[])`,
        [ids],
      );
      expect(completions).toHaveLength(ids.length);
      const after = await edge.api.balance(account);
      expect(after.held).toBe('0.00');
      expect(Number(after.available)).toBeCloseTo(before - ids.length, 2);
      await assertLedgerSound(edge.database);
    },
    60_000,
  );
});
