import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
beforeAll(async () => (edge = await PixEdge.start()), 60_000);
afterAll(() => edge.stop());

/**
 * How far the returns of six cases are when the process is killed: none, some or all at the rail; some known as back.
 */
const MOMENTS = [
  { atTheRail: 0, back: 0 },
  { atTheRail: 1, back: 0 },
  { atTheRail: 6, back: 0 },
  { atTheRail: 6, back: 1 },
];
const CASES = 6;

async function openCase(): Promise<{ readonly id: string; readonly endToEndId: string }> {
  const { id, qrCode } = await edge.cashIn('10.00');
  await edge.pay(qrCode);
  const { endToEndId } = await edge.reaches(id, 'Completed');
  await edge.sandbox('POST', '/infractions', { endToEndId, reason: 'Scam', details: 'Golpe' });
  return eventually(async () => {
    const { items } = (await edge.api.get('/med?status=Open')).body.data;
    return items.find((one: any) => one.endToEndId === endToEndId);
  });
}

async function reach(endToEndIds: readonly string[], { atTheRail, back }: (typeof MOMENTS)[number]): Promise<void> {
  await eventually(async () => {
    const [row] = await edge.database.query<{ sent: number; back: number }>(
      `select count(r.return_id)::int as sent, (count(*) filter (where i.returned > 0))::int as back
       from infraction i left join sandbox.refund_out r using (end_to_end_id) where i.end_to_end_id = any($1::text[])`,
      [endToEndIds],
    );
    return row!.sent >= atTheRail && row!.back >= back;
  });
}

describe('a process killed while money of reports goes back', () => {
  it.each(MOMENTS)(
    'with $atTheRail of six returns at the rail and $back back, or more: each goes back once, and nothing is lost',
    async (moment) => {
      const account = edge.partner.accounts[0]!;
      const before = await edge.api.balance(account);
      const cases = [];
      for (let i = 0; i < CASES; i++) cases.push(await openCase());
      const operator = new OperatorApi(edge.service.url);
      await Promise.all(cases.map(({ id }) => operator.post(`/med/${id}/decision`, { decision: 'Agreed' })));
      const endToEndIds = cases.map(({ endToEndId }) => endToEndId);
      await reach(endToEndIds, moment);
      await edge.killAndRestart();
      for (const { id } of cases) {
        await eventually(async () => (await edge.api.get(`/med/${id}`)).body.data.status === 'Closed', {
          within: 30_000,
        });
        expect((await edge.api.get(`/med/${id}`)).body.data).toMatchObject({ returned: '10.00', ending: 'Returned' });
      }
      const returned = await edge.database.query<{ amount: string; status: string }>(
        'select amount, status from sandbox.refund_out where end_to_end_id = any($1::text[])',
        [endToEndIds],
      );
      expect(returned).toEqual(cases.map(() => ({ amount: '1000', status: 'Settled' })));
      expect(await edge.api.balance(account)).toEqual(before);
      const decided = await eventually(
        async () => {
          const rows = await edge.database.query(
            `select from sandbox.infraction where end_to_end_id = any($1::text[]) and status = 'Agreed'`,
            [endToEndIds],
          );
          return rows.length === CASES && rows;
        },
        { within: 30_000 },
      );
      expect(decided).toHaveLength(CASES);
      await assertLedgerSound(edge.database);
    },
    90_000,
  );
});
