import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { SETTINGS, type Service, startService } from '../support/service.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let service: Service | undefined;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});
copyForEach((given) => ({ ledger, copy } = given));

const start = async () => (service = await startService(copy.url, copy.env));
const login = (credentials: object) => call(service!.url, 'POST', '/partners-int/login', { body: credentials });
const asAuditor = (token: string) => call(service!.url, 'GET', '/audit/checkpoints', { token });
const unbound = (text: string) =>
  createHmac('sha256', Buffer.from(SETTINGS.KEY_PEPPER, 'base64')).update(text).digest();

/** As an earlier version of the service stored it: an unbound hash, without an event. */
async function asBefore(id: string, table: 'access_key' | 'auditor', stored: Buffer) {
  await copy.query(`update registry_secret set value = $2 where partition = 0 and id = $1`, [id, stored]);
  await copy.query(`update ${table} set bound = false where id = $1`, [id]);
}

async function copySecret(from: string, to: string) {
  await copy.query(
    `update registry_secret set value = (select value from registry_secret where partition = 0 and id = $1) where partition = 0 and id = $2`,
    [from, to],
  );
}

describe('a stored secret that is copied over another’s', () => {
  it('authenticates nobody as the victim, and is reported by verify', async () => {
    const { url } = await start();
    const thief = await new OperatorApi(url).partner(['1.00']);
    const victim = ledger.partner.credentials;
    await copySecret(thief.credentials.accessKey, victim.accessKey);
    expect((await login({ ...victim, secret: thief.credentials.secret })).status).toBe(401);
    expect((await login(thief.credentials)).status).toBe(200);
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.divergences).toMatchObject([
      { check: 'credentials', partition: 0, subject: `access key ${victim.accessKey}`, field: 'registry_secret.value' },
    ]);
  });

  it('authenticates no auditor as another, and is reported by verify', async () => {
    const operator = new OperatorApi((await start()).url);
    const thief = (await operator.post('/auditors', { name: 'One', partnerUid: ledger.partner.uid })).token as string;
    const victim = (await operator.post('/auditors', { name: 'All' })) as { id: string; token: string };
    await copySecret(thief.slice(4, 40), victim.id);
    expect((await asAuditor(`aud_${victim.id}_${thief.slice(41)}`)).status).toBe(401);
    const { report } = await copy.verify();
    expect(report.divergences).toMatchObject([{ check: 'credentials', subject: `auditor ${victim.id}` }]);
  });

  it('is refused in the older form too, after an event has bound it', async () => {
    await start();
    const { accessKey } = ledger.partner.credentials;
    await copy.query(`update registry_secret set value = $2 where partition = 0 and id = $1`, [
      accessKey,
      unbound('sk_forged'),
    ]);
    expect((await login({ accessKey, secret: 'sk_forged' })).status).toBe(401);
    const { report } = await copy.verify();
    expect(report.divergences).toMatchObject([{ check: 'credentials', subject: `access key ${accessKey}` }]);
  });
});

describe('a missing stored secret', () => {
  it('is reported by verify', async () => {
    const { accessKey } = ledger.partner.credentials;
    await copy.query(`delete from registry_secret where partition = 0 and id = $1`, [accessKey]);
    const { report } = await copy.verify();
    expect(report.divergences).toMatchObject([{ subject: `access key ${accessKey}`, found: 'nothing' }]);
  });
});

describe('a secret with an unbound hash of an earlier version', () => {
  it('is accepted, is bound by the first of many concurrent logins, and is accepted again', async () => {
    const { accessKey, secret } = ledger.partner.credentials;
    await asBefore(accessKey, 'access_key', unbound(secret));
    await start();
    const answers = await Promise.all(Array.from({ length: 8 }, () => login({ accessKey, secret })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const events = await copy.query(`select data from event where partition = 0 and type = 'AccessKeySecretBound'`);
    expect(events).toHaveLength(1);
    const [row] = await copy.query(`select value from registry_secret where partition = 0 and id = $1`, [accessKey]);
    expect(row!.value.equals(unbound(secret))).toBe(false);
    expect((await login({ accessKey, secret })).status).toBe(200);
    expect((await PartnerApi.login(service!.url, { accessKey, secret })).token).toBeDefined();
  });

  it('of an auditor is bound by the first request', async () => {
    const operator = new OperatorApi((await start()).url);
    const { id, token } = (await operator.post('/auditors', { name: 'All' })) as { id: string; token: string };
    await service!.stop();
    await asBefore(id, 'auditor', unbound(`auditor|${token.slice(41)}`));
    await start();
    expect((await asAuditor(token)).status).toBe(200);
    const [event] = await copy.query(`select data from event where type = 'AuditorCredentialBound'`);
    expect(event!.data).toMatchObject({ id });
    expect((await asAuditor(token)).status).toBe(200);
  });

  it('that two keys share is reported by verify', async () => {
    const operator = new OperatorApi((await start()).url);
    const other = await operator.post(`/accounts/${ledger.partner.accounts[0]}/access-keys`, {});
    for (const id of [ledger.partner.credentials.accessKey, other.accessKey]) {
      await asBefore(id, 'access_key', unbound('sk_same'));
    }
    const { report } = await copy.verify();
    const found = report.divergences.filter((one: any) => one.check === 'credentials');
    expect(found).toMatchObject([{ expected: 'a keyed hash of its own' }]);
  });
});
