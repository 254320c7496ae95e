import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let ours: TestPartner;
let theirs: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { LEDGER_PARTITIONS: '1' });
  const operator = new OperatorApi(service.url);
  ours = await operator.partner(['100.00', '0.00']);
  theirs = await operator.partner(['100.00', '0.00']);
  api = await PartnerApi.login(service.url, ours.credentials);
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

/** An answer with the identifier that was asked for taken out: what is left must not depend on who owns it. */
const anonymous = ({ status, body }: { status: number; body: unknown }, uid: string) =>
  JSON.stringify({ status, body }).replaceAll(uid, '<uid>');

describe('two partners on one partition', () => {
  it("learn nothing of one another's accounts: the answer is that of an account that does not exist", async () => {
    const partition = ours.accounts[0]!.slice(15, 18);
    const nobodys = `01a1f8b7-9c84-7${partition}-9322-7f81595ccd24`;
    const systems = await database.query<{ uid: string }>('select uid from account where system is not null');
    const hidden = [
      ...theirs.accounts,
      ...systems.map(({ uid }) => uid),
      theirs.uid,
      ours.uid,
      theirs.credentials.accessKey,
    ];
    expect(systems.length).toBeGreaterThan(0);
    for (const uid of hidden) {
      expect(anonymous(await api.get(`/accounts/${uid}`), uid)).toBe(
        anonymous(await api.get(`/accounts/${nobodys}`), nobodys),
      );
      expect(anonymous(await api.get(`/accounts/${uid}/statement`), uid)).toBe(
        anonymous(await api.get(`/accounts/${nobodys}/statement`), nobodys),
      );
      expect(anonymous(await api.transfer(uid, '1.00'), uid)).toBe(
        anonymous(await api.transfer(nobodys, '1.00'), nobodys),
      );
      expect((await api.transfer(uid, '1.00')).status).toBe(404);
    }
  });

  it("do not see one another's accounts in lists", async () => {
    const list = (await api.get('/accounts?limit=100')).body.data.items as { uid: string }[];
    expect(list.map(({ uid }) => uid)).toEqual(ours.accounts);
  });

  it('do not share idempotency keys or cursors', async () => {
    const other = await PartnerApi.login(service.url, theirs.credentials);
    const first = await api.transfer(ours.accounts[1]!, '1.00', 'shared');
    const second = await other.transfer(theirs.accounts[1]!, '1.00', 'shared');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    const { nextCursor } = (await api.get('/accounts?limit=1')).body.data;
    expect((await other.get(`/accounts?limit=1&cursor=${nextCursor}`)).status).toBe(400);
  });
});
