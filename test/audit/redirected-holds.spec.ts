import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { divergences } from '../support/ledger-cli.js';
import { PixEdge } from '../support/pix-edge.js';
import { asService, changeRow } from '../support/tamper.js';

/**
 * Somebody with the password of the service's role changes the row of a hold that blocks a deposit, has its timer run,
 * and puts it back afterwards.
 */
let edge: PixEdge;
beforeAll(async () => {
  edge = await PixEdge.start();
  const rule = { name: 'Todos', amountAbove: '0.00' };
  const operator = new OperatorApi(edge.service.url);
  await operator.post(`/partners/${edge.partner.uid}/cautionary-rules`, rule);
  // A rule is for accounts of people.
  const person = { name: 'Ana', taxNumber: '39053344705' };
  const { uid } = await operator.post(`/partners/${edge.partner.uid}/accounts`, person);
  edge.api = await PartnerApi.login(edge.service.url, await operator.post(`/accounts/${uid}/access-keys`, {}));
}, 60_000);
afterAll(() => edge?.stop());

describe('the timer of a blocked deposit, while the row of its hold is changed and put back,', () => {
  it.each([
    ['its time is over: nothing is released', { expires_at: '2020-01-01T00:00:00Z' }],
    ['it has ended: it is released at its time', { status: 'Closed' }],
  ])(
    'does what the events say, where the row says that %s',
    async (_what, columns) => {
      const { id, qrCode } = await edge.cashIn('40.00');
      await edge.pay(qrCode);
      await edge.reaches(id, 'Completed');
      const [hold] = await edge.database.query('select id from hold where deposit_id = $1', [id]);
      await eventually(async () => (await timerOf(hold!.id)).length === 1);
      const dueAt = (await timerOf(hold!.id))[0]!.due_at;
      const putBack = await changeRow(edge.database, 'hold', hold!.id, columns);
      // Lanes read their rows anew.
      const forgotten = 'update log_head set corrections = corrections + 1';
      await asService(edge.database, `${forgotten}; update work set due_at = now() where id = '${hold!.id}'`);
      await eventually(async () => {
        const [timer] = await timerOf(hold!.id);
        return !timer || (timer.attempts > 0 && timer.leased_until === null);
      });
      await putBack();

      expect(await edge.database.query(`select type from event where stream = $1`, [`hold-${hold!.id}`])).toEqual([
        { type: 'HoldPlaced' },
      ]);
      const [timer] = await timerOf(hold!.id);
      expect(timer?.due_at).toEqual(dueAt);
      expect(await divergences(edge.database)).toEqual([]);
    },
    60_000,
  );
});

const timerOf = (id: string) =>
  edge.database.query<{ due_at: Date; attempts: number; leased_until: Date | null }>(
    'select due_at, attempts, leased_until from work where id = $1',
    [id],
  );
