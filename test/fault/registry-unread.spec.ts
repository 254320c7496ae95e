import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

/** What the registry's follower reads by. */
const READ = Buffer.from('log-events-after');

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service | undefined;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
});
afterAll(async () => {
  await proxy.stop();
  await database.drop();
});
afterEach(async () => service?.stop());

describe('a key that is disabled while the registry cannot be read', () => {
  it.each(['1', '2'])(
    'opens nothing once that is answered, with %s workers',
    async (WORKERS) => {
      service = await startService(proxy.url, { WORKERS, PUBLIC_URL: '' });
      const operator = new OperatorApi(service.url);
      const { credentials, accounts } = await operator.partner(['1000.00', '0.00']);
      const api = await PartnerApi.login(service.url, credentials);
      const transfers = () => Promise.all(Array.from({ length: 16 }, () => api.transfer(accounts[1]!, '1.00')));
      const statuses = async () => new Set((await transfers()).map(({ status }) => status));
      expect(await statuses()).toEqual(new Set([201]));

      const failing = setInterval(() => proxy.failAtMessage(0, 'request cut', READ), 1);
      setTimeout(() => clearInterval(failing), 700);
      await operator.post(`/access-keys/${credentials.accessKey}/disable`);
      expect(await statuses()).toEqual(new Set([401]));
      await eventually(async () => {
        await operator.post(`/access-keys/${credentials.accessKey}/enable`);
        return (await api.transfer(accounts[1]!, '1.00')).status === 201;
      });
    },
    60_000,
  );
});
