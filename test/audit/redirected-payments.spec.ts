import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, partitionOf, PersonalDataCodec } from '../../src/event-store/index.js';
import { PIX_WORK } from '../../src/pix/workers/pix-work.js';
import { PartyBox } from '../../src/pix/rails/sandbox/party-box.js';
import { eventually } from '../support/eventually.js';
import { divergences } from '../support/ledger-cli.js';
import { type CashIn, PixEdge } from '../support/pix-edge.js';
import { type Service, SETTINGS, startService } from '../support/service.js';
import { asService } from '../support/tamper.js';

/**
 * Somebody with the password of the service's role changes what waits to be sent, and puts it back afterwards. While no
 * worker runs nothing is sent: that is when it is changed.
 */
let edge: PixEdge;
let worker: Service | undefined;
beforeAll(async () => {
  edge = await PixEdge.start({ ROLE: 'api' });
}, 60_000);
afterAll(async () => {
  await worker?.stop();
  await edge?.stop();
});

const MARIA = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' };
const MALLORY = { ispb: '99999008', branch: '0666', number: '6660666', digit: '6', type: 'CheckingsAccount' };

const send = async () => void (worker = await startService(edge.database.url, { ...edge.env, ROLE: 'worker' }));

const detailsOf = async (id: string): Promise<any> =>
  (await edge.database.query('select details from transaction where id = $1', [id]))[0]!.details;

/** The others, and their order, stay as they are. */
async function setDetail(id: string, member: string, value: unknown): Promise<void> {
  const details = JSON.stringify({ ...(await detailsOf(id)), [member]: value });
  await asService(edge.database, `update transaction set details = '${details}' where id = '${id}'`);
}

const setAmount = (id: string, amount: number) =>
  edge.database.query('update transaction set amount = $2 where id = $1', [id, amount]);

/** Who was paid, by the books of the rail. */
async function paid(id: string): Promise<any> {
  const box = new PartyBox(new PersonalDataCodec(Buffer.from(SETTINGS.MASTER_KEY, 'base64')));
  const { endToEndId } = await edge.transaction(id);
  const [row] = await edge.database.query<{ payee: Buffer }>(
    'select payee from sandbox.payment_out where end_to_end_id = $1',
    [endToEndId],
  );
  return row && box.open(endToEndId, row.payee);
}

const returned = (returnId: string) =>
  edge.database.query('select end_to_end_id, amount from sandbox.refund_out where return_id = $1', [returnId]);

const paidIn = async ({ id, qrCode }: CashIn, state = 'Completed'): Promise<string> => {
  await edge.pay(qrCode);
  return (await edge.reaches(id, state)).endToEndId;
};

/** Payouts that wait, each with the recipient of another one in its row, and one with another amount. */
async function changePayouts() {
  // These wait at the sandbox until they are forced: their recipients are there to be copied.
  const mallory = { key: { type: 'EMAIL', value: 'mallory@example.com' }, account: MALLORY };
  const others = [await edge.cashOut('10.98', { account: MALLORY }), await edge.cashOut('10.98', mallory)];
  const ids = [await edge.cashOut('10.00', { account: MARIA }), await edge.cashOut('10.00', {})];
  const [ofEvents, changed] = [await Promise.all(ids.map(detailsOf)), await Promise.all(others.map(detailsOf))];
  for (const [n, id] of ids.entries()) await setDetail(id, 'recipient', changed[n].recipient);
  const more = await edge.cashOut('11.98', { account: MARIA });
  await setAmount(more, 90_098);
  const putBack = async () => {
    for (const [n, id] of ids.entries()) await setDetail(id, 'recipient', ofEvents[n].recipient);
  };
  return { ids, more, others, putBack };
}

/** A refund that waits, of more and of another deposit by its row. */
async function changeRefund() {
  const deposits = [await edge.cashIn('50.00'), await edge.cashIn('60.00')];
  const [endToEndId, another] = [await paidIn(deposits[0]!), await paidIn(deposits[1]!)];
  // It does not end before the row is as it was.
  await edge.behave({ refunds: 'hold' });
  const { body } = await edge.api.post(`/accounts/pix/cashin/${deposits[0]!.id}/refunds`, { amount: '5.00' });
  const { id } = body.data.transaction;
  const { endToEndId: returnId } = await edge.transaction(id);
  await setDetail(id, 'originalEndToEndId', another);
  await setAmount(id, 700);
  const putBack = async () => {
    await setAmount(id, 500);
    await setDetail(id, 'originalEndToEndId', endToEndId);
  };
  return { id, endToEndId, returnId, putBack };
}

/** A payment that did not fit, whose return by its item of work is the money of another deposit. */
async function changeReturn() {
  const deposit = await edge.cashIn('70.00');
  const misfit = await edge.cashIn('20.00', { payer: { name: 'Maria Silva', cpf: '11144477735' } });
  const another = await paidIn(deposit);
  await paidIn(misfit, 'Error');
  const [event] = await edge.database.query(
    `select partition, event_id, data from event where type = 'CashInErrored' and data ->> 'id' = $1`,
    [misfit.id],
  );
  const { payment, returnId } = event!.data;
  // It is there before the saga, which leaves an item that it finds as it is.
  const payload = { returnId, endToEndId: another, amount: '7000', transactionId: misfit.id };
  await asService(
    edge.database,
    `
    insert into work (partition, id, kind, subject, payload, due_at) values (${event!.partition}, '${event!.event_id}',
      '${PIX_WORK.returnPayment}', '${misfit.id}', '${JSON.stringify(payload)}', now())`,
  );
  return { returnId, endToEndId: payment.endToEndId };
}

/** @returns a payout that only the rows know */
async function addPayout(): Promise<string> {
  const id = await edge.cashOut('10.98', { account: MARIA });
  const partition = partitionOf(id)!;
  const forged = newId(partition);
  await asService(
    edge.database,
    `
    insert into transaction (partition, id, type, state, account_uid, amount, charges, order_id, end_to_end_id,
        state_dates, details, position, version)
      select partition, '${forged}', type, state, account_uid, amount, charges, order_id, 'E-forged', state_dates,
        details, position, version
      from transaction where id = '${id}';
    insert into work (partition, id, kind, subject, payload, due_at)
      select partition, id, '${PIX_WORK.sendPayment}', id,
        json_build_object('partnerUid', '${edge.partner.uid}'), now()
      from transaction where id = '${forged}'`,
  );
  return forged;
}

describe('whom the rail is told to pay, while rows are changed and put back,', () => {
  let payouts: Awaited<ReturnType<typeof changePayouts>>;
  let refund: Awaited<ReturnType<typeof changeRefund>>;

  beforeAll(async () => {
    [payouts, refund] = [await changePayouts(), await changeRefund()];
    await send();
  }, 60_000);

  it('and how much, is what the event says: by account, and by a key, which is looked up', async () => {
    const { ids, more, others, putBack } = payouts;
    for (const id of ids) await edge.reaches(id, 'Completed');
    await putBack();
    const { endToEndId } = await edge.transaction(more);
    const sent = () =>
      edge.database.query('select amount from sandbox.payment_out where end_to_end_id = $1', [endToEndId]);
    const [row] = await eventually(async () => (await sent()).length > 0 && sent());
    await setAmount(more, 1_198);

    const [byAccount, byKey] = await Promise.all(ids.map(paid));
    expect(byAccount).toMatchObject({ name: 'Maria Silva', taxNumber: '11144477735', ...MARIA });
    expect(byKey).toMatchObject({ name: 'Maria Silva', taxNumber: '11144477735' });
    for (const { number } of [byAccount, byKey]) expect(number).not.toBe(MALLORY.number);
    expect(row).toEqual({ amount: '1198' });
    for (const id of [...others, more]) {
      await edge.force(id, 'complete');
      await edge.reaches(id, 'Completed');
    }
  }, 60_000);

  it('is the payer of the deposit that a refund is of, and as much as it is of', async () => {
    const { id, endToEndId, returnId, putBack } = refund;
    await eventually(async () => (await returned(returnId)).length > 0);
    await putBack();

    expect(await returned(returnId)).toEqual([{ end_to_end_id: endToEndId, amount: '500' }]);
    await edge.force(id, 'complete');
    await edge.reaches(id, 'Completed');
  }, 60_000);

  it('would have been told by nothing but the books of the rail', async () => {
    expect(await divergences(edge.database)).toEqual([]);
  }, 60_000);
});

describe('whom the rail is told to pay, while rows are added,', () => {
  let misfit: Awaited<ReturnType<typeof changeReturn>>;
  let forged: string;

  beforeAll(async () => {
    await worker?.stop();
    [misfit, forged] = [await changeReturn(), await addPayout()];
    await send();
  }, 60_000);

  it('is the payer of the payment that did not fit', async () => {
    const { returnId, endToEndId } = misfit;
    await eventually(async () => (await returned(returnId)).length > 0);
    expect(await returned(returnId)).toEqual([{ end_to_end_id: endToEndId, amount: '2000' }]);
  }, 60_000);

  it('is nobody of whom the log does not know: the log of the process says so', async () => {
    await eventually(() => worker!.output().includes(`the log has no transaction ${forged}`));
    const books = `select from sandbox.payment_out where end_to_end_id = 'E-forged'`;
    expect(await edge.database.query(books)).toEqual([]);
  }, 60_000);
});
