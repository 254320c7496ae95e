import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { type Divergence, divergences } from '../support/ledger-cli.js';
import { PixEdge } from '../support/pix-edge.js';
import { asService } from '../support/tamper.js';

/**
 * Somebody with the password of the service's role changes the row of a payment that is under way, has it end, and puts
 * the row back: it equals the replay again. The events do not fit one another.
 */
let edge: PixEdge;
let own: string, sibling: string;

beforeAll(async () => {
  edge = await PixEdge.start();
  [own, sibling] = edge.partner.accounts as [string, string];
}, 60_000);
afterAll(() => edge?.stop());

/** A payment that is under way, whose row is another while it ends. */
interface Changed {
  readonly id: string;
  readonly row: string;
  /** What the row is again. */
  readonly back: string;
  /** Has the payment end. */
  readonly end: () => Promise<unknown>;
}

/** A process that has not read the rows yet decides on what they are now. */
async function endWhileRowsAre(payments: readonly Changed[]): Promise<void> {
  await edge.killAndRestart();
  for (const { id, row, back, end } of payments) {
    await asService(edge.database, `update transaction set ${row} where id = '${id}'`);
    await end();
    await asService(edge.database, `update transaction set ${back} where id = '${id}'`);
    await asService(edge.database, `update webhook_delivery set account_uid = '${own}' where transaction_id = '${id}'`);
  }
}

/** The rail has it: it waits there until it is forced. */
async function isSent(id: string): Promise<void> {
  const { endToEndId } = await edge.transaction(id);
  const sql = `
    select from sandbox.payment_out where end_to_end_id = $1 union all
    select from sandbox.refund_out where return_id = $1`;
  await eventually(async () => (await edge.database.query(sql, [endToEndId])).length > 0);
}

const inState = async (state: string, id: string) => {
  const [row] = await edge.database.query('select from transaction where id = $1 and state = $2', [id, state]);
  return row !== undefined;
};

describe('verify', () => {
  it('tells nothing of payments whose rows nobody changes', async () => {
    const { id, qrCode } = await edge.cashIn('60.00');
    await edge.pay(qrCode);
    await edge.reaches(id, 'Completed');
    await edge.reaches(await edge.cashOut('10.00'), 'Completed');
    expect(await divergences(edge.database)).toEqual([]);
  }, 60_000);

  describe('of payments whose rows were others as they ended', () => {
    let payout: string, deposit: string, refund: string;
    let found: Divergence[];

    const failingPayout = async (): Promise<Changed> => {
      // What another one holds is what becomes available; both wait until they are forced.
      await edge.cashOut('100.98');
      const id = await edge.cashOut('10.98');
      await isSent(id);
      const end = async () => {
        await edge.force(id, 'fail');
        await eventually(() => inState('Error', id));
      };
      return { id, row: 'amount = 5000', back: 'amount = 1098', end };
    };
    const paidDeposit = async (): Promise<Changed> => {
      const { id, qrCode } = await edge.cashIn('70.00');
      const end = async () => {
        await edge.pay(qrCode);
        await eventually(() => inState('Completed', id));
      };
      return { id, row: `account_uid = '${sibling}'`, back: `account_uid = '${own}'`, end };
    };
    const completedRefund = async (): Promise<Changed> => {
      const { id: ofDeposit, qrCode } = await edge.cashIn('80.00');
      await edge.pay(qrCode);
      await edge.reaches(ofDeposit, 'Completed');
      await edge.behave({ refunds: 'hold' });
      const { body } = await edge.api.post(`/accounts/pix/cashin/${ofDeposit}/refunds`, { amount: '5.00' });
      const { id } = body.data.transaction;
      await isSent(id);
      const end = async () => {
        await edge.force(id, 'complete');
        await eventually(() => inState('Completed', id));
      };
      return { id, row: 'amount = 100', back: 'amount = 500', end };
    };

    beforeAll(async () => {
      const changed = [await failingPayout(), await paidDeposit(), await completedRefund()];
      [payout, deposit, refund] = changed.map(({ id }) => id) as [string, string, string];
      await endWhileRowsAre(changed);
    }, 60_000);

    beforeAll(async () => {
      found = await divergences(edge.database);
    }, 60_000);

    const contradictions = (id: string) =>
      found.filter(({ check, subject }) => check.startsWith('decisions on') && subject?.endsWith(id));

    it('tells of a payout that failed, of which more became available than was held', () => {
      expect(contradictions(payout)).toMatchObject([{ subject: `CashOutErrored of ${payout}`, field: 'postings' }]);
    });

    it('tells of a deposit that was credited to another account', () => {
      expect(contradictions(deposit)).toMatchObject([{ subject: `CashInCompleted of ${deposit}`, field: 'postings' }]);
    });

    it('tells of a refund that took more than was held for it', () => {
      expect(contradictions(refund)).toMatchObject([{ subject: `RefundCompleted of ${refund}`, field: 'amount' }]);
    });
  });
});
