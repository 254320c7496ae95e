import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { RecordDay } from '../../src/pix/commands/record-day/record-day.command.js';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { testAuthority } from '../support/certificates.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { EfiPsp, efiSettings } from '../support/efi-psp.js';
import { eventually } from '../support/eventually.js';
import { type InProcess, startInProcess } from '../support/in-process.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { type Service, startService } from '../support/service.js';

let psp: EfiPsp;
let database: TestDatabase;
let service: Service;
let api: PartnerApi;
let inside: InProcess;

beforeAll(async () => {
  const authority = testAuthority('Efí authority');
  [psp, database] = await Promise.all([EfiPsp.start(authority), createDatabase()]);
  const settings = efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-webhook-address-0123456789');
  service = await startService(database.url, settings);
  inside = await startInProcess(database, { ...settings, ROLE: 'api' });
  const partner = await new OperatorApi(service.url).partner(['1000.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
  await eventually(() => psp.webhookUrl());
  await psp.callbacks({ to: service.url });
}, 60_000);
afterAll(async () => {
  await inside.close();
  await assertLedgerSound(database);
  await service.stop();
  await Promise.all([psp.close(), database.drop()]);
});

const night = (day: string, isLast = true) => inside.app.get(CommandBus).execute(new RecordDay(day, 0, [], isLast));
const cases = async () => (await new OperatorApi(service.url).get('/reconciliation/cases')).items;
const reaches = (id: string) =>
  eventually(async () => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state === 'Completed', {
    within: 20_000,
  });

async function deposit(original: string): Promise<void> {
  const answer = await api.post('/accounts/pix/cashin', {
    payment: { value: { original } },
    transaction: { orderId: 'pedido-2' },
    webhook: WEBHOOK,
  });
  const { id } = answer.body.data.transaction;
  const { endToEndId } = await psp.pay(txidOf(id));
  expect(await psp.callBack(await psp.pix(endToEndId))).toBe(200);
  await reaches(id);
}

async function payOut(value: string): Promise<void> {
  const answer = await api.post('/accounts/pix/cashout', {
    payment: { value, key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
    transaction: { orderId: 'pedido-1' },
    webhook: WEBHOOK,
  });
  await reaches(answer.body.data.transaction.id);
}

const moved = (count: number) =>
  eventually(async () => {
    const [row] = await database.query<{ told: number }>(`
      select count(*)::int as told from pix_movement m join transaction t on t.id = m.transaction_id
      where m.kind = 'PaymentOut' or t.details ->> 'feeTold' is not null`);
    return row!.told === count;
  });

describe("the balance at the PSP, and the ledger's", () => {
  it('move alike: by payments in both directions, less the fees that were notified', async () => {
    await deposit('100.00');
    await moved(1);
    await night('2099-01-01');
    await deposit('20.00');
    await payOut('10.50');
    await moved(3);
    await night('2099-01-02');
    await payOut('1.00');
    await moved(4);
    await night('2099-01-03');
    await night('2099-01-04');
    expect(await cases()).toEqual([]);
  }, 60_000);

  it('are a case where they do not, of the moment at which it was read', async () => {
    await psp.saldo('108.00');
    await night('2099-01-05');
    await psp.saldo('108.00');
    await night('2099-01-06');
    await night('2099-01-06');
    await night('2099-01-07');
    expect(await cases()).toMatchObject([
      { day: '2099-01-06', kind: 'Balance', rail: '108.00', ledger: '108.48', status: 'Open' },
    ]);
  });

  it('are compared over a night in which the PSP did not tell it', async () => {
    await psp.fail(/^GET .*saldo/, { kind: 'lost before' });
    await psp.fail(/^GET .*saldo/, { kind: 'lost before' });
    await psp.fail(/^GET .*saldo/, { kind: 'lost before' });
    await night('2099-01-08');
    await psp.saldo('90.00');
    await night('2099-01-09');
    await night('2099-01-10');
    expect((await cases())[0]).toMatchObject({ day: '2099-01-10', rail: '90.00', ledger: '108.00' });
  });

  it('are read once in a night that catches up on several days: what changed before it is still found', async () => {
    await night('2099-01-11');
    await psp.saldo('80.00');
    await night('2099-01-12', false);
    await night('2099-01-13', false);
    await night('2099-01-14');
    await night('2099-01-15');
    expect((await cases())[0]).toMatchObject({ day: '2099-01-15', rail: '80.00', ledger: '90.00' });
  });
});
