import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertLedgerSound } from '../support/audit.js';
import { tellEvents } from '../support/told-events.js';
import { eventually } from '../support/eventually.js';
import { cashOutBody } from '../support/pix-bodies.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
beforeAll(async () => (edge = await PixEdge.start()), 60_000);
afterAll(() => edge.stop());

/** Stages of the six payouts: none, some, all known to the rail; some, all completed. */
const MOMENTS = [
  { atTheRail: 0, completed: 0 },
  { atTheRail: 1, completed: 0 },
  { atTheRail: 6, completed: 0 },
  { atTheRail: 6, completed: 1 },
  { atTheRail: 6, completed: 6 },
];

async function reach(ids: readonly string[], { atTheRail, completed }: (typeof MOMENTS)[number]): Promise<void> {
  await eventually(async () => {
    const [row] = await edge.database.query<{ sent: number; done: number }>(
      `select count(p.end_to_end_id)::int as sent, (count(*) filter (where t.state = 'Completed'))::int as done
       from transaction t left join sandbox.payment_out p using (end_to_end_id)
       where t.id = any($1::uuid[]) and t.type = 'CashOut'`,
      [ids],
    );
    return row!.sent >= atTheRail && row!.done >= completed;
  });
}

describe('a process killed between the hold and the answer of the rail', () => {
  it.each(MOMENTS)(
    'with $atTheRail of six at the rail and $completed completed, or more: every payout is completed once, under one EndToEndId',
    async (moment) => {
      const account = edge.partner.accounts[0]!;
      const before = Number((await edge.api.balance(account)).available);
      const bodies = [cashOutBody.account('1.00'), cashOutBody.key('1.00'), cashOutBody.keyAndAccount('1.00')];
      const answers = await Promise.all(
        [...bodies, ...bodies].map((body) => edge.api.post('/accounts/pix/cashout', body)),
      );
      const ids: string[] = answers.map(({ body }) => body.data.transaction.id);
      await reach(ids, moment);
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
      await tellEvents(edge.database);
      const completions = await edge.database.query(
        `select 1 from told.event where type = 'CashOutCompleted' and data->>'id' = any($1::text[])`,
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
