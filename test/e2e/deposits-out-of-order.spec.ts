import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;

beforeAll(async () => {
  edge = await PixEdge.start();
}, 60_000);

afterAll(() => edge?.stop());

/** What the sandbox has of a charge's payments, and of what went back of them. */
const payments = (id: string) =>
  edge.database.query(
    `select p.amount, r.status as returned from sandbox.payment_in p left join sandbox.refund_out r using (end_to_end_id)
     where p.txid = $1 order by p.at`,
    [id.replaceAll('-', '')],
  );

async function paidUnheard(amount: string, more: object = {}): Promise<{ id: string; qrCode: string }> {
  const made = await edge.cashIn(amount, more);
  await edge.behave({ notifications: 'drop' });
  await edge.pay(made.qrCode);
  await edge.behave({ notifications: 'deliver' });
  return made;
}

describe('a deposit that was paid in time, and whose notification was lost', () => {
  it('is credited, though a second payment of another amount is told before it', async () => {
    const { id, qrCode } = await paidUnheard('40.00');
    await edge.pay(qrCode, {}, '0.01');
    await edge.reaches(id, 'Completed');
    await eventually(async () => (await payments(id))[1]?.returned === 'Settled');
    expect(await payments(id)).toEqual([
      { amount: '4000', returned: null },
      { amount: '1', returned: 'Settled' },
    ]);
  }, 60_000);

  it('is credited, though a second payment, which is late, is told before it', async () => {
    const { id, qrCode } = await paidUnheard('41.00', { expiresIn: 3 });
    const [row] = await edge.database.query(`select details->>'expiresAt' as at from transaction where id = $1`, [id]);
    await eventually(() => Date.now() > Date.parse(row!.at as string));
    await edge.pay(qrCode);
    await edge.reaches(id, 'Completed');
  }, 60_000);
});
