import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { cashOutBody } from '../support/pix-bodies.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
beforeAll(async () => {
  edge = await PixEdge.start({ INSTITUTION_ISPB: 'ab12cd34' });
}, 60_000);
afterAll(async () => {
  await assertLedgerSound(edge.database);
  await edge.stop();
});

const LETTERS = { ispb: 'x1y2z3w4', branch: '0001', number: '1234567', digit: '8' };

describe('an ISPB with letters', () => {
  it('is that of the operator, in capitals: of transactions, and in identifiers that lead back to their payment', async () => {
    const answer = await edge.api.post('/accounts/pix/cashout', cashOutBody.account('2.00'));
    const { id } = answer.body.data.transaction;
    const paid = await eventually(async () => {
      const found = await edge.transaction(id);
      return found.state === 'Completed' && found;
    });
    expect(paid.endToEndId).toMatch(/^EAB12CD34\d{12}/);
    expect(paid.ispb).toBe('AB12CD34');
  });

  it('is a recipient’s, in either letter case', async () => {
    const body = cashOutBody.account('2.00');
    body.payment.recipient.account.ispb = LETTERS.ispb;
    const answer = await edge.api.post('/accounts/pix/cashout', body);
    expect(answer.status).toBe(201);
    const { id } = answer.body.data.transaction;
    await eventually(async () => (await edge.transaction(id)).state === 'Completed');
    expect(JSON.stringify(await edge.transaction(id))).not.toContain(LETTERS.ispb);
  });

  it.each([
    ['account', { account: LETTERS }],
    ['validationAccounts', { validationAccounts: [{ ispb: LETTERS.ispb, branch: '0001', number: '12345678' }] }],
  ])('is a payer’s in `%s`, in either letter case', async (_member, payer) => {
    const { id, qrCode } = await edge.cashIn('7.00', { payer });
    expect((await edge.pay(qrCode, { ispb: 'X1Y2Z3W4' })).body.data.outcome).toBe('Settled');
    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Completed' });
  });
});
