import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { liveRows, replayedRows, startInProcess } from '../support/in-process.js';
import { runLedger } from '../support/ledger-fixture.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pix-replay-'));
  edge = await PixEdge.start({ CHECKPOINT_DIR: dataDir });
}, 60_000);
afterAll(async () => {
  await edge.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const ledger = (...args: string[]) =>
  runLedger(args, { DATABASE_URL: edge.database.url, DATA_DIR: dataDir, CHECKPOINT_DIR: dataDir });

describe('the log of a service that has done all kinds of Pix', () => {
  it('makes the same rows again from nothing, and sums to zero', async () => {
    const operator = new OperatorApi(edge.service.url);
    await operator.patch(`/partners/${edge.partner.uid}/settings`, { cashInCharge: '0.10', cashOutCharge: '0.20' });
    const ends = [
      ['1.00', 'Completed'],
      ['1.97', 'Error'],
      ['1.99', 'Reversed'],
      ['1.96', 'Completed'],
    ] as const;
    for (const [value, state] of ends) await edge.reaches(await edge.cashOut(value), state);
    const [paid, unfit, expiring, forced] = await Promise.all([
      edge.cashIn('5.00'),
      edge.cashIn('5.00'),
      edge.cashIn('5.00', { expiresIn: 1 }),
      edge.cashIn('5.00', { payer: { name: 'Fulano', cpf: '11144477735' } }),
    ]);
    await edge.pay(paid.qrCode);
    await edge.pay(paid.qrCode);
    await edge.pay(unfit.qrCode, {}, '5.01');
    await edge.reaches(expiring.id, 'Cancelled');
    await edge.force(forced.id, 'reverse');
    const refund = await edge.api.post(`/accounts/pix/cashin/${paid.id}/refunds`, { amount: '2.00', reason: 'Teste' });
    await edge.reaches(refund.body.data.transaction.id, 'Completed');
    await eventually(async () => {
      const [row] = await edge.database.query<{ n: string }>(
        `select count(*) as n from transaction where type = 'Refund'`,
      );
      return row!.n === '2';
    });
    await edge.service.stop();

    const service = await startInProcess(edge.database, { ROLE: 'api', PUBLIC_URL: edge.env.PUBLIC_URL! });
    try {
      expect(await liveRows(service)).toEqual(await replayedRows(service));
    } finally {
      await service.close();
    }
    await assertLedgerSound(edge.database);
    for (const command of ['verify', 'rebuild', 'verify']) {
      const { code, stdout, stderr } = await ledger(command);
      expect({ command, code, stdout, stderr }).toMatchObject({ code: 0 });
    }
  }, 60_000);

  it('explains every payment: one that was changed, one that is gone and one that was made up are found', async () => {
    const change = async (text: string) => (await edge.database.query<{ id: string }>(`${text} returning id`))[0]!.id;
    const changed = await change(
      `update transaction set amount = amount + 1 where type = 'CashIn' and state = 'Completed'`,
    );
    const gone = await change(`delete from transaction where type = 'CashOut' and state = 'Error'`);
    const madeUp = await change(
      `insert into transaction select (json_populate_record(t, json_build_object('id', gen_random_uuid(),
         'end_to_end_id', null, 'order_id', null))).* from transaction t where type = 'Refund' limit 1`,
    );
    const { stdout } = await ledger('verify', '--json', '--budget', '4');
    const found = (JSON.parse(stdout) as { divergences: { check: string }[] }).divergences;
    const of = (id: string) => ({ check: 'rows of transactions', subject: `transactions ${id}` });
    expect(found.filter(({ check }) => check === 'rows of transactions')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...of(changed), field: 'amount', expected: '500', found: '501' }),
        expect.objectContaining({ ...of(gone), field: 'row', found: 'nothing' }),
        expect.objectContaining({ ...of(madeUp), field: 'row', expected: 'nothing' }),
      ]),
    );
    expect(found).toHaveLength(3);
  });
});
