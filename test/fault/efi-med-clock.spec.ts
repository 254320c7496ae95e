import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { testAuthority } from '../support/certificates.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { EfiPsp, efiSettings } from '../support/efi-psp.js';
import { eventually } from '../support/eventually.js';
import { PSP_KEY } from '../support/model-psp-books.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { type Service, startService } from '../support/service.js';
import { timerRuns } from '../support/timers.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let folder: string;
let psp: EfiPsp;
let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payments-efi-med-clock-'));
  await writeFile(join(folder, 'offset'), '0');
  const authority = testAuthority('Efí authority');
  [psp, database] = await Promise.all([EfiPsp.start(authority), createDatabase()]);
  service = await startService(database.url, {
    ...efiSettings(psp, authority, PSP_KEY, 'a-token-of-the-webhook-address-0123456789'),
    NODE_OPTIONS: `--import=${new URL('../support/clock-offset.mjs', import.meta.url).href}`,
    CLOCK_OFFSET_FILE: join(folder, 'offset'),
  });
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['0.00', '0.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
  await eventually(() => psp.webhookUrl());
  await psp.callbacks({ to: service.url });
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await Promise.all([psp?.close(), database?.drop(), rm(folder, { recursive: true, force: true })]);
});

async function paidDeposit(original: string): Promise<string> {
  const body = { payment: { value: { original } }, transaction: { orderId: 'pedido-1' }, webhook: WEBHOOK };
  const { id } = (await api.post('/accounts/pix/cashin', body)).body.data.transaction;
  const { endToEndId } = await psp.pay(txidOf(id));
  expect(await psp.callBack(await psp.pix(endToEndId))).toBe(200);
  await eventually(
    async () => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction.state === 'Completed',
  );
  return endToEndId;
}

const balance = async () => {
  const uid = partner.accounts[0]!;
  const [row] = await database.query('select available, held, blocked from account where uid = $1', [uid]);
  return row;
};

it("what is blocked is not released while the PSP's own return of more is not booked", async () => {
  const paid = await paidDeposit('10.00');
  await api.transfer(partner.accounts[1]!, '6.00');
  const report = await psp.report(paid, 10);
  await timerRuns(database, 'med-sweep');
  const [{ id }] = (await api.get('/med?limit=1')).body.data.items;
  await psp.giveBack(paid, '10.00');
  await psp.analyse(report, 'ACEITA');
  await timerRuns(database, 'med-sweep');
  await eventually(async () => (await operator.get(`/med/${id}`)).status === 'Agreed');
  expect(await balance()).toEqual({ available: '0', held: '0', blocked: '400' });

  await writeFile(join(folder, 'offset'), String(91 * DAY_MS));
  const closed = await eventually(
    async () => {
      const known = await operator.get(`/med/${id}`);
      return known.status === 'Closed' && known;
    },
    { within: 20_000 },
  );
  expect(closed).toMatchObject({ ending: 'PeriodEnded', agreed: '10.00', returned: '4.00', pending: '0.00' });
  expect(await balance()).toEqual({ available: '0', held: '0', blocked: '0' });
  await assertLedgerSound(database);
}, 60_000);
