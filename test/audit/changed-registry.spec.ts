import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { divergences } from '../support/ledger-cli.js';
import { type Service, startService } from '../support/service.js';
import { changeRow } from '../support/tamper.js';

/**
 * Somebody with the password of the service's role changes rows of the registry while a process reads them for the
 * first time, which remembers what it read, and puts them back.
 */
let database: TestDatabase;
let first: Service;
let second: Service | undefined;
let own: TestPartner;
let victim: TestPartner;
let auditor: string;

beforeAll(async () => {
  database = await createDatabase();
  first = await startService(database.url);
  const operator = new OperatorApi(first.url);
  own = await operator.partner(['100.00', '0.00']);
  victim = await operator.partner(['100.00', '0.00']);
  await operator.patch(`/partners/${own.uid}/settings`, { cashOutCharge: '0.50' });
  auditor = (await operator.post('/auditors', { name: 'One', partnerUid: own.uid })).token;
  const { accessKey } = own.credentials;
  await operator.post(`/access-keys/${accessKey}/disable`);
  await operator.post(`/access-keys/${accessKey}/enable`);
}, 60_000);

afterAll(async () => {
  await second?.stop();
  await first?.stop();
  await database?.drop();
});

const logged = async (type: string) =>
  (await database.query('select data from event where type = $1 order by position desc limit 1', [type]))[0]!.data;

describe('what a process remembers of the registry, while rows are changed and put back,', () => {
  it('is what the log says: keys, partners, holders of accounts and auditors', async () => {
    second = await startService(database.url);
    const account = own.accounts[0]!;
    const [{ settings }] = (await database.query('select settings from partner where uid = $1', [own.uid])) as [any];
    const putBack = [
      await changeRow(database, 'access_key', own.credentials.accessKey, {
        account_uid: victim.accounts[0],
        partner_uid: victim.uid,
      }),
      await changeRow(database, 'partner', own.uid, { settings: { ...settings, cashOutCharge: '0' } }),
      await changeRow(database, 'account', account, { class: 'Legacy' }),
      await changeRow(database, 'auditor', auditor.slice(4, 40), { partner_uid: null }),
    ];
    const session = await PartnerApi.login(second.url, own.credentials);
    const key = { type: 'EMAIL', value: 'maria@example.com' };
    const payout = {
      payment: { value: '1.00', recipient: { name: 'Maria', cpf: '11144477735' }, key },
      transaction: { orderId: 'order-1' },
      webhook: { url: 'http://127.0.0.1:65535/hook' },
    };
    const partitions = () => call(second!.url, 'GET', '/audit/partitions', { token: auditor });
    await partitions();
    expect((await session.transfer(randomUUID(), '1.00')).status).toBe(404);
    for (const one of putBack) await one();

    const transfer = await session.transfer(own.accounts[1]!, '1.00');
    expect(transfer.status).toBe(201);
    expect(transfer.headers.get('deprecation')).toBeNull();
    expect(await logged('TransferSettled')).toMatchObject({ sourceUid: account, partnerUid: own.uid });
    expect((await session.post('/accounts/pix/cashout', payout)).status).toBe(201);
    expect(await logged('CashOutRegistered')).toMatchObject({ accountUid: account, charges: '50' });
    const { body } = await partitions();
    const seen = body.data.items.map(({ partition }: any) => partition);
    expect(seen).toEqual([0, Number.parseInt(account.slice(15, 18), 16)]);
    expect(await divergences(database)).toEqual([]);
  }, 60_000);
});
