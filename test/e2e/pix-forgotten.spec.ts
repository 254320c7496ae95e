import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { forgetSubjects } from '../support/forget.js';
import { PixEdge } from '../support/pix-edge.js';
import { type Service, startService } from '../support/service.js';

/** What `forget` waits for may still begin in the moment between its last look and the end of the key. */
let edge: PixEdge;
let worker: Service | undefined;
beforeAll(async () => {
  edge = await PixEdge.start({ ROLE: 'api' });
}, 60_000);
afterAll(async () => {
  await worker?.stop();
  await edge?.stop();
});

const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' };

async function forgetRecipientOf(id: string): Promise<void> {
  await forgetSubjects(
    edge.database,
    `subject = (select (details->'recipient'->>'subject')::uuid from transaction where id = $1)`,
    [id],
  );
}

describe('a payout whose recipient is forgotten', () => {
  it('before it was sent ends, and what was held is free again', async () => {
    const id = await edge.cashOut('10.00', { account });
    await forgetRecipientOf(id);
    worker = await startService(edge.database.url, { ...edge.env, ROLE: 'worker' });
    expect(await edge.reaches(id, 'Error')).toMatchObject({ errorReason: 'RecipientForgotten' });
    expect(await edge.api.balance(edge.partner.accounts[0]!)).toEqual({
      available: '1000.00',
      held: '0.00',
      blocked: '0.00',
    });
  });

  it('after it was sent ends by the word of the rail', async () => {
    // The sandbox leaves this amount under way until it is forced.
    const id = await edge.cashOut('10.98', { account });
    const sent = () => edge.database.query(`select from sandbox.payment_out where amount = 1098`);
    await eventually(async () => (await sent()).length === 1);
    await forgetRecipientOf(id);
    await eventually(async () => {
      const [work] = await edge.database.query('select attempts from work where subject = $1', [id]);
      return work?.attempts > 2;
    });
    expect((await edge.transaction(id)).state).toBe('Registered');
    expect((await edge.force(id, 'complete')).status).toBe(200);
    await edge.reaches(id, 'Completed');
  }, 30_000);
});
