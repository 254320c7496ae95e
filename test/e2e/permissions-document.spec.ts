import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../src/auth/index.js';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['100.00']);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

const NEEDED = /Needs the permission `([a-z:]+)`\.$/;

it('the document names the permission that each route needs, and no other key may use it', async () => {
  const { paths } = (await call(service.url, 'GET', '/openapi.json')).body;
  const routes = Object.entries<any>(paths).flatMap(([path, item]) =>
    Object.entries<any>(item)
      .filter(() => path.startsWith('/partners-int/') && path !== '/partners-int/login')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  expect(routes.length).toBeGreaterThan(30);
  for (const permission of PERMISSIONS) {
    const key = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, {
      permissions: [permission],
    });
    const { token } = await PartnerApi.login(service.url, key);
    for (const { method, path, operation } of routes) {
      const body = method === 'GET' ? undefined : {};
      const needed: readonly string[] = operation['x-permissions'];
      if (needed.length === 1) expect(NEEDED.exec(operation.description)?.[1]).toBe(needed[0]);
      const { status } = await call(service.url, method, path.replaceAll(/\{\w+\}/g, 'none'), { token, body });
      expect([method, path, permission, status === 403]).toEqual([
        method,
        path,
        permission,
        !needed.includes(permission),
      ]);
    }
  }
});
