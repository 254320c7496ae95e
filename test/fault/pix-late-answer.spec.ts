import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { newId, partitionOf } from '../../src/event-store/index.js';
import { SettleCashOut } from '../../src/pix/commands/settle-cash-out/settle-cash-out.command.js';
import { type KeyLookup, PIX_RAIL, type PixRail } from '../../src/pix/rails/pix-rail.js';
import { ExpireCashInWorker } from '../../src/pix/workers/expire-cash-in.worker.js';
import { ResolveKeyWorker } from '../../src/pix/workers/resolve-key.worker.js';
import { PixTransactions } from '../../src/pix/transactions/pix-transactions.js';
import { PIX_WORK } from '../../src/pix/workers/pix-work.js';
import { SendPaymentWorker } from '../../src/pix/workers/send-payment.worker.js';
import { attempt } from '../support/attempt.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { type InProcess, startInProcess } from '../support/in-process.js';
import { PixEdge } from '../support/pix-edge.js';
import { type Service, startService } from '../support/service.js';

const DUE = { payload: null, dueAt: new Date() };

let edge: PixEdge;
/** The process whose lease expires while it waits for the rail; it works only on what it is given. */
let slow: InProcess;
let quick: Service | undefined;
beforeAll(async () => {
  edge = await PixEdge.start({ ROLE: 'api' });
  slow = await startInProcess(edge.database, { ROLE: 'api' });
}, 60_000);
afterAll(async () => {
  await quick?.stop();
  await slow?.close();
  await edge?.stop();
});

describe('two processes that look one key up', () => {
  it('the late answer that there is no such key does not end a payout that the other one has sent', async () => {
    const account = edge.partner.accounts[0]!;
    const id = await edge.cashOut('10.98'); // Waits at the sandbox until it is forced.
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<KeyLookup>();
    slow.app.get<PixRail>(PIX_RAIL, { strict: false }).lookUpKey = () => {
      asked.resolve();
      return answer.promise;
    };
    const item = { partition: partitionOf(id)!, id: newId(1), subject: id, ...DUE, ...attempt(1) };
    const lookUp = slow.app.get(ResolveKeyWorker, { strict: false }).perform({ ...item, kind: PIX_WORK.resolveKey });
    await asked.promise;

    quick = await startService(edge.database.url, { ...edge.env, ROLE: 'worker' });
    const { endToEndId } = await edge.transaction(id);
    await eventually(async () => {
      const sent = await edge.database.query('select from sandbox.payment_out where end_to_end_id = $1', [endToEndId]);
      return sent.length === 1;
    });
    answer.resolve({ found: false });
    await expect(lookUp).resolves.toBe('done');

    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Registered' });
    expect(await edge.api.balance(account)).toMatchObject({ available: '989.02', held: '10.98' });
    await edge.force(id, 'complete');
    await edge.reaches(id, 'Completed');
    expect(await edge.api.balance(account)).toMatchObject({ available: '989.02', held: '0.00' });
    await assertLedgerSound(edge.database);
  }, 60_000);

  it('tell that the rail settled what the other one has ended meanwhile, though it was read before', async () => {
    const id = await edge.cashOut('11.98');
    const before = (await slow.app.get(PixTransactions, { strict: false }).byId(id))!;
    await edge.force(id, 'fail');
    await edge.reaches(id, 'Error');
    const told = jest.spyOn(Logger.prototype, 'error');
    const settled = new SettleCashOut(before, { status: 'Settled', at: new Date() });
    await expect(slow.app.get(CommandBus, { strict: false }).execute(settled)).resolves.toBe('Ignored');
    expect(told).toHaveBeenCalledWith({ id }, 'the rail settled a payout that has failed here');
  }, 60_000);

  it('tell that the rail refused what was paid before', async () => {
    const id = await edge.cashOut('13.98');
    await edge.force(id, 'complete');
    await edge.reaches(id, 'Completed');
    const paid = (await slow.app.get(PixTransactions, { strict: false }).byId(id))!;
    const told = jest.spyOn(Logger.prototype, 'error');
    const refused = new SettleCashOut(paid, { status: 'Rejected', at: new Date(), code: 'AC03' });
    await expect(slow.app.get(CommandBus, { strict: false }).execute(refused)).resolves.toBe('Ignored');
    const { endToEndId } = paid.transaction;
    expect(told).toHaveBeenCalledWith({ id, endToEndId }, 'the rail refused a payout that was paid here');
    await expect(edge.transaction(id)).resolves.toMatchObject({ state: 'Completed' });
  }, 60_000);
});

it('a payout whose row says for a moment that it has ended is asked after until its events say so', async () => {
  await quick?.stop();
  quick = undefined;
  const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' };
  const id = await edge.cashOut('12.98', { account });
  const item = { partition: partitionOf(id)!, id, subject: id, ...DUE, kind: PIX_WORK.sendPayment };
  const perform = (attempts: number) =>
    slow.app.get(SendPaymentWorker, { strict: false }).perform({ ...item, ...attempt(attempts) });
  const row = (state: string) => edge.database.query('update transaction set state = $2 where id = $1', [id, state]);
  expect(await perform(1)).toHaveProperty('retryAt');
  await edge.database.query(`update sandbox.payment_out set status = 'Settled', at = now() where amount = 1298`);
  await row('Completed');
  expect(await perform(2)).toHaveProperty('retryAt');
  await row('Registered');
  expect(await perform(3)).toBe('done');
  expect((await edge.transaction(id)).state).toBe('Completed');
  await assertLedgerSound(edge.database);
}, 60_000);

it('a deposit whose row says for a moment that it has ended expires all the same', async () => {
  const { id } = await edge.cashIn('5.00', { expiresIn: 1 });
  const item = { partition: partitionOf(id)!, id, subject: id, ...DUE, kind: PIX_WORK.expireCashIn };
  const perform = () => slow.app.get(ExpireCashInWorker, { strict: false }).perform({ ...item, ...attempt(1) });
  const row = (state: string) => edge.database.query('update transaction set state = $2 where id = $1', [id, state]);
  await new Promise((resume) => setTimeout(resume, 1_100));
  await row('Completed');
  expect(await perform()).toHaveProperty('retryAt');
  await row('Registered');
  expect(await perform()).toBe('done');
  expect(await edge.transaction(id)).toMatchObject({ state: 'Cancelled', errorReason: 'Expired' });
}, 60_000);
