import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { PAYER } from '../support/pix-edge.js';
import { type Service, startService } from '../support/service.js';
import { PostgresServer } from './driver/postgres-server.js';

const TAX_NUMBER = '11222333000181';

let postgres: PostgresServer;
let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;
let operator: OperatorApi;

beforeAll(async () => {
  postgres = await PostgresServer.start();
  database = await createDatabase({ server: postgres.url });
  proxy = await DatabaseProxy.start(database.url);
  service = await startService(proxy.url);
  operator = new OperatorApi(service.url);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await database?.drop();
  await postgres?.stop();
});

/** The server crashes at the command's commit, which never reaches it. @returns what is answered after recovery */
async function acrossCrash<T>(command: () => Promise<T>): Promise<T> {
  const cut = proxy.nextCut();
  proxy.cutNextCommit('before', { thenRefuse: true });
  const answered = command();
  await cut;
  await postgres.restart('immediate', 0);
  proxy.refuse(false);
  const answer = await answered;
  await eventually(async () => (await call(service.url, 'GET', '/health/ready')).status === 200, { within: 20_000 });
  return answer;
}

/** What a command did before its append is committed apart, and the append is repeated after recovery. */
describe('PostgreSQL crashes between', () => {
  it('a charge and its append: the deposit that is acknowledged can be paid', async () => {
    const { credentials } = await operator.partner(['0.00']);
    const api = await PartnerApi.login(service.url, credentials);
    const { status, body } = await acrossCrash(() =>
      api.post('/accounts/pix/cashin', {
        payment: { value: { original: '10.00' } },
        transaction: { orderId: 'pedido' },
        webhook: { url: 'http://127.0.0.1:65535/hook' },
      }),
    );
    expect(status).toBe(201);
    const { qrCode } = body.data.payment;
    const paid = await call(service.url, 'POST', '/sandbox/pix/payments', { body: { qrCode, payer: PAYER } });
    expect(paid).toMatchObject({ status: 201, body: { data: { outcome: 'Settled' } } });
    await assertLedgerSound(database);
  }, 60_000);

  it('the number of an account and its append: nobody else gets that number', async () => {
    const { uid } = await operator.post('/partners', { name: 'Loja', taxNumber: TAX_NUMBER });
    const open = () => operator.post(`/partners/${uid}/accounts`, { name: 'Conta', taxNumber: TAX_NUMBER });
    const before = await open();
    // The first number after a checkpoint is what PostgreSQL logs for the next thirty-two; its disk is slow.
    const slow = new pg.Client({ connectionString: database.url });
    slow.on('error', () => undefined);
    await slow.connect();
    await slow.query('checkpoint');
    await slow.query('begin');
    await slow.query(`select nextval('account_number')`);

    const opened = [before, await acrossCrash(open), await open(), await open(), await open()];
    const numbers = opened.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)]);
    await assertLedgerSound(database);
  }, 60_000);
});
