import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmbeddedServer } from '@partner-payments/embedded-postgres';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { type CliResult, runLedger } from '../support/ledger-fixture.js';
import { sample } from '../support/metrics.js';
import {
  type ArchivingServer,
  readBankBooks,
  startArchiving,
  withClient,
  writeBankBooks,
} from '../support/restore-lab.js';
import { type Service, startService } from '../support/service.js';

/**
 * Base backup, traffic, a moment, more traffic; then the database is restored to that moment. `docs/operations.md`
 * tells operators the same with the programs of a system PostgreSQL.
 */

const PAYER = { name: 'Ana', taxNumber: '52998224725', ispb: '00000000', branch: '0001', number: '12345', digit: '6' };
const WEBHOOK = { url: 'http://127.0.0.1:65535/hook' };

let live: ArchivingServer;
let first: Service;
let restored: EmbeddedServer;
let folder: string;
let partner: TestPartner;
let cashInId: string;
let partition: number;

const settings = (checkpoints: string) => ({
  // One folder for all: the signing key of development mode is stored there.
  DATA_DIR: join(folder, 'data'),
  CHECKPOINT_DIR: join(folder, checkpoints),
  CHECKPOINT_INTERVAL_SECONDS: '1',
  WEBHOOK_RETRY_SCHEDULE: '0s',
});

const verify = (checkpoints: string): Promise<CliResult> =>
  runLedger(['verify'], { DATABASE_URL: restored.url, ...settings(checkpoints) });

async function cashOut(session: PartnerApi, value: string): Promise<string> {
  const answer = await session.post('/accounts/pix/cashout', {
    payment: { value, key: { type: 'EMAIL', value: 'ana@example.com' }, recipient: { cpf: PAYER.taxNumber } },
    transaction: { orderId: 'order' },
    webhook: WEBHOOK,
  });
  expect(answer.status).toBe(201);
  return answer.body.data.transaction.id;
}

const stateOf = async (session: PartnerApi, id: string) =>
  (await session.get(`/accounts/transactions/${id}`)).body.data?.transaction.state;

/** The ledger before the restore; the service is stopped when it returns. */
async function firstLife(service: Service): Promise<Date> {
  partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
  partition = Number.parseInt(partner.accounts[0]!.slice(15, 18), 16);
  const session = await PartnerApi.login(service.url, partner.credentials);
  await session.transfer(partner.accounts[1]!, '100.00');
  const cashIn = await session.post('/accounts/pix/cashin', {
    payment: { value: { original: '50.00' } },
    transaction: { orderId: 'deposit' },
    webhook: WEBHOOK,
  });
  expect(cashIn.status).toBe(201);
  cashInId = cashIn.body.data.transaction.id;
  const [{ now }] = await withClient(live.server.url, async (client) => {
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    return rows as [{ now: Date }];
  });
  // What follows will be lost: a transfer, the payment of the deposit, and a payout.
  await eventually(() => Date.now() > now.getTime() + 50);
  await session.transfer(partner.accounts[1]!, '7.00');
  const { qrCode } = cashIn.body.data.payment;
  const paid = await call(service.url, 'POST', '/sandbox/pix/payments', { body: { qrCode, payer: PAYER } });
  expect(paid.body.data.outcome).toBe('Settled');
  const payout = await cashOut(session, '20.00');
  await eventually(async () => (await stateOf(session, payout)) === 'Completed');
  expect(await session.balance(partner.accounts[0]!)).toEqual({ available: '923.00', held: '0.00', blocked: '0.00' });
  // The newest checkpoint covers what will be lost.
  await withClient(live.server.url, (client) =>
    eventually(async () => {
      const { rows } = await client.query(
        `select h.position = (select max(size) from checkpoint c where c.partition = h.partition) as sealed
         from log_head h where partition = $1`,
        [partition],
      );
      return rows[0]!.sealed === true;
    }),
  );
  await service.stop();
  return now;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'restore-spec-'));
  live = await startArchiving();
  first = await startService(live.server.url, settings('checkpoints'));
  const backup = await live.backUp();
  const moment = await firstLife(first);
  const books = await readBankBooks(live.server.url);
  await live.archiveRest();
  restored = await backup.restoreTo(moment);
  await writeBankBooks(restored.url, books);
}, 90_000);

afterAll(async () => {
  await first?.stop();
  await live?.remove();
  await rm(folder, { recursive: true, force: true });
});

describe('a ledger restored to a moment in the past', () => {
  it('is sound in itself', async () => {
    const { code, stdout } = await verify('none-kept-outside');
    expect(stdout).toMatch(/OK: nothing diverges/);
    expect(code).toBe(0);
  });

  it('contradicts the checkpoints that were signed after the moment, and verify reports the partition', async () => {
    const { code, stdout } = await verify('checkpoints');
    expect(stdout).toMatch(
      new RegExp(
        `partition ${partition}, position \\d+, field size \\(checkpoints\\): expected \\d+ events, as signed, found \\d+`,
      ),
    );
    expect(code).toBe(1);
  });

  it('is served, but not signed, with those checkpoints; the sweep brings back what the rail knows', async () => {
    const service = await startService(restored.url, settings('checkpoints'));
    try {
      await eventually(async () => {
        const { body } = await call(service.url, 'GET', '/metrics');
        return sample(body, 'ledger_checkpoint_refused', { partition: String(partition) })[0] === 1;
      });
      expect(service.output()).toMatch(/THE HISTORY WAS ALTERED/);
      const session = await PartnerApi.login(service.url, partner.credentials);
      await eventually(async () => (await stateOf(session, cashInId)) === 'Completed');
      // 1000 − 100, and the deposit; neither the transfer nor the payout after the moment.
      expect(await session.balance(partner.accounts[0]!)).toEqual({
        available: '950.00',
        held: '0.00',
        blocked: '0.00',
      });
      const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
      const operator = new OperatorApi(service.url);
      const report = await eventually(async () => {
        // The list of movements is an async projection: the deposit is in it a moment later.
        const one = await operator.get(`/reconciliation?date=${today}`);
        return one.mismatched < 2 && one;
      });
      expect(report).toMatchObject({ matches: false, mismatched: 1 });
      expect(report.mismatches[0]).toMatchObject({ kind: 'PaymentOut', rail: '20.00', ledger: null });
    } finally {
      await service.stop();
    }
  });

  it('is signed again with a folder for checkpoints of its own, and verifies with it', async () => {
    const service = await startService(restored.url, settings('checkpoints-2'));
    try {
      await eventually(async () => {
        const { body } = await call(service.url, 'GET', '/metrics');
        return sample(body, 'ledger_checkpoint_refused', { partition: String(partition) })[0] === 0;
      });
    } finally {
      await service.stop();
    }
    const { code, stdout } = await verify('checkpoints-2');
    expect(stdout).toMatch(/OK: nothing diverges/);
    expect(code).toBe(0);
  });
});
