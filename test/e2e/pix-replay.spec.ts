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
      const { code, stdout, stderr } = await runLedger([command], {
        DATABASE_URL: edge.database.url,
        DATA_DIR: dataDir,
        CHECKPOINT_DIR: dataDir,
      });
      expect({ command, code, stdout, stderr }).toMatchObject({ code: 0 });
    }
  }, 60_000);
});
