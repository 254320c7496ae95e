import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { WorkItem, WorkResult } from '../../src/event-store/index.js';
import { MedTimers } from '../../src/med/workers/med-timers.js';
import { InfractionInbox } from '../../src/pix/inbox/infraction-inbox.js';
import { Infractions } from '../../src/pix/rails/sandbox/infractions.js';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { WEBHOOK } from '../support/pix-bodies.js';
import { PAYER } from '../support/pix-edge.js';

let service: InProcessOwning;
let url: string;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  // The sweep is made by hand.
  service = await startWithDatabase({ ROLE: 'api' });
  await service.app.listen(0, '127.0.0.1');
  url = await service.app.getUrl();
  partner = await new OperatorApi(url).partner(['0.00']);
  api = await PartnerApi.login(url, partner.credentials);
}, 60_000);

afterAll(() => service.close());

async function deposit(original: string): Promise<string> {
  const transaction = { orderId: 'late' };
  const { body } = await api.post('/accounts/pix/cashin', {
    payment: { value: { original } },
    transaction,
    webhook: WEBHOOK,
  });
  const { qrCode } = body.data.payment;
  return (await call(url, 'POST', '/sandbox/pix/payments', { body: { qrCode, payer: PAYER } })).body.data.endToEndId;
}

let mark: unknown = null;

async function sweep(): Promise<void> {
  const result = await service.app.get(MedTimers, { strict: false }).sweep({ payload: mark } as WorkItem);
  mark = (result as Exclude<WorkResult, 'done'>).payload;
}

it('a report that is told late, after it was taken back, blocks money until the next sweep, and no longer', async () => {
  const infractions = service.app.get(Infractions, { strict: false });
  const told = await infractions.report({ endToEndId: await deposit('10.00'), amount: 1000n, reason: 'Scam' });
  await infractions.end(told.railId, 'Cancelled');
  await sweep();
  expect((await api.get('/med')).body.data.items).toEqual([]);
  await service.app.get(InfractionInbox, { strict: false }).infractionChanged(told);
  expect(await api.balance(partner.accounts[0]!)).toMatchObject({ blocked: '10.00' });
  await sweep();
  expect((await api.get('/med')).body.data.items).toMatchObject([{ status: 'Cancelled' }]);
  expect(await api.balance(partner.accounts[0]!)).toMatchObject({ available: '10.00', blocked: '0.00' });
});
