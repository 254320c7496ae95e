import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Credentials, OperatorApi, PartnerApi } from '../support/api.js';
import { type LedgerCopy, type LedgerFixture, makeLedger } from '../support/ledger-fixture.js';
import { SETTINGS, type Service, startService } from '../support/service.js';
import { asOwner, recomputeHashes } from '../support/tamper.js';

interface Auditor {
  readonly id: string;
  readonly token: string;
}

/** Each test has keys and auditors of its own: they share a service. */
let ledger: LedgerFixture;
let copy: LedgerCopy;
let service: Service | undefined;
let operator: OperatorApi;

beforeAll(async () => {
  ledger = await makeLedger();
  copy = await ledger.copy();
  await start();
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await copy?.drop();
});

async function start(): Promise<void> {
  service = await startService(copy.url, copy.env);
  operator = new OperatorApi(service.url);
}

const newKey = (): Promise<Credentials> => operator.post(`/accounts/${ledger.partner.accounts[0]}/access-keys`, {});
const newAuditor = (more: object): Promise<Auditor> => operator.post('/auditors', more);
const login = (credentials: object) => call(service!.url, 'POST', '/partners-int/login', { body: credentials });
const asAuditor = (token: string) => call(service!.url, 'GET', '/audit/checkpoints', { token });
const unbound = (text: string) =>
  createHmac('sha256', Buffer.from(SETTINGS.KEY_PEPPER, 'base64')).update(text).digest();

/** As an earlier version of the service stored it, but for its event: an unbound hash. */
async function asBefore(id: string, table: 'access_key' | 'auditor', stored: Buffer) {
  await copy.query(`update registry_secret set value = $2 where partition = 0 and id = $1`, [id, stored]);
  await copy.query(`update ${table} set bound = false where id = $1`, [id]);
}

/** That event says nothing of hashes. */
async function loggedAsBefore(...ids: readonly string[]) {
  const text = `update event set data = (data::jsonb - 'bound')::json where partition = 0 and data ->> 'id' = any($1)`;
  await asOwner(copy, [text, [ids]]);
  await recomputeHashes(copy, 0);
}

async function copySecret(from: string, to: string) {
  await copy.query(
    `update registry_secret set value = (select value from registry_secret where partition = 0 and id = $1) where partition = 0 and id = $2`,
    [from, to],
  );
}

describe('a stored secret', () => {
  let thief: { key: Credentials; auditor: Auditor };
  let victim: { key: Credentials; auditor: Auditor };
  let olderForm: Credentials;
  let missing: Credentials;
  let alike: readonly [Credentials, Credentials];
  let verified: { code: number; report: any };

  beforeAll(async () => {
    thief = {
      key: (await operator.partner(['1.00'])).credentials,
      auditor: await newAuditor({ name: 'One', partnerUid: ledger.partner.uid }),
    };
    victim = { key: ledger.partner.credentials, auditor: await newAuditor({ name: 'All' }) };
    [olderForm, missing, alike] = [await newKey(), await newKey(), [await newKey(), await newKey()]];
    await copySecret(thief.key.accessKey, victim.key.accessKey);
    await copySecret(thief.auditor.id, victim.auditor.id);
    await copy.query(`update registry_secret set value = $2 where partition = 0 and id = $1`, [
      olderForm.accessKey,
      unbound('sk_forged'),
    ]);
    await copy.query(`delete from registry_secret where partition = 0 and id = $1`, [missing.accessKey]);
    for (const { accessKey } of alike) await asBefore(accessKey, 'access_key', unbound('sk_same'));
    verified = await copy.verify();
  }, 30_000);

  const found = (subject: string) => verified.report.divergences.filter((one: any) => one.subject === subject);

  it('that is copied over another’s authenticates nobody as the victim, and is reported by verify', async () => {
    expect((await login({ ...victim.key, secret: thief.key.secret })).status).toBe(401);
    expect((await login(thief.key)).status).toBe(200);
    expect(found(`access key ${victim.key.accessKey}`)).toMatchObject([
      { check: 'credentials', partition: 0, field: 'registry_secret.value' },
    ]);
  });

  it('that is copied over another’s authenticates no auditor as another, and is reported by verify', async () => {
    const { id } = victim.auditor;
    expect((await asAuditor(`aud_${id}_${thief.auditor.token.slice(41)}`)).status).toBe(401);
    expect(found(`auditor ${id}`)).toMatchObject([{ check: 'credentials' }]);
  });

  it('is refused in the older form too, after an event has bound it, and is reported by verify', async () => {
    const { accessKey } = olderForm;
    expect((await login({ accessKey, secret: 'sk_forged' })).status).toBe(401);
    expect(found(`access key ${accessKey}`)).toMatchObject([{ check: 'credentials' }]);
  });

  it('is refused in the older form too, where only the row says that nothing has bound it', async () => {
    for (const { accessKey } of alike) expect((await login({ accessKey, secret: 'sk_same' })).status).toBe(401);
  });

  it('that is missing is reported by verify', () => {
    expect(found(`access key ${missing.accessKey}`)).toMatchObject([{ check: 'credentials', found: 'nothing' }]);
  });

  it('with an unbound hash that two keys share is reported by verify, for the second of them', () => {
    const [second] = alike
      .map(({ accessKey }) => accessKey)
      .sort()
      .reverse();
    expect(found(`access key ${second}`)).toMatchObject([{ expected: 'a keyed hash of its own' }]);
  });

  it('of nobody else is reported', () => {
    expect(verified.code).toBe(1);
    const { divergences } = verified.report;
    expect(divergences.filter((one: any) => one.check === 'credentials')).toHaveLength(5);
    // That the two are not bound is in no event.
    const rows = divergences.filter((one: any) => one.check !== 'credentials');
    expect(rows.map(({ subject, field }: any) => [subject, field]).sort()).toEqual(
      alike.map(({ accessKey }) => [`accessKeys ${accessKey}`, 'bound']).sort(),
    );
  });
});

describe('a secret with an unbound hash of an earlier version', () => {
  let older: Credentials;
  let auditor: Auditor;

  beforeAll(async () => {
    older = await newKey();
    auditor = await newAuditor({ name: 'All' });
    await service!.stop();
    await asBefore(older.accessKey, 'access_key', unbound(older.secret));
    await asBefore(auditor.id, 'auditor', unbound(`auditor|${auditor.token.slice(41)}`));
    await loggedAsBefore(older.accessKey, auditor.id);
    await start();
  }, 30_000);

  it('is accepted, is bound by the first of many concurrent logins, and is accepted again', async () => {
    const { accessKey, secret } = older;
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
    expect((await asAuditor(auditor.token)).status).toBe(200);
    const [event] = await copy.query(`select data from event where type = 'AuditorCredentialBound'`);
    expect(event!.data).toMatchObject({ id: auditor.id });
    expect((await asAuditor(auditor.token)).status).toBe(200);
  });
});
