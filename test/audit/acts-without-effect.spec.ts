import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { runLedger } from '../support/ledger-cli.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

/** A partner, and what acts are done on. */
interface Subject {
  readonly partner: TestPartner;
  readonly auditor: string;
  readonly contact: string;
}

interface Act {
  readonly method: 'POST' | 'PATCH';
  readonly path: (of: Subject) => string;
  readonly body?: object;
  /** The row that tells whether it is to be done, and the columns by which it does. */
  readonly row: readonly [table: string, key: string, of: (of: Subject) => string, columns: readonly string[]];
  /** Its event. */
  readonly type: string;
}

const account = ({ partner }: Subject) => partner.accounts[0]!;
const partnerUid = ({ partner }: Subject) => partner.uid;
const ACTS: readonly Act[] = [
  {
    method: 'POST',
    path: ({ partner }) => `/access-keys/${partner.credentials.accessKey}/disable`,
    row: ['access_key', 'id', ({ partner }) => partner.credentials.accessKey, ['status']],
    type: 'AccessKeyDisabled',
  },
  {
    ...{ method: 'POST', path: (of) => `/accounts/${account(of)}/deactivate`, body: { reason: 'a court order' } },
    row: ['account', 'uid', account, ['status']],
    type: 'AccountDeactivated',
  },
  {
    ...{ method: 'PATCH', path: (of) => `/accounts/${account(of)}/limits`, body: { payment: '5.00' } },
    row: ['account', 'uid', account, ['payout_limits']],
    type: 'PayoutLimitsChanged',
  },
  {
    ...{ method: 'PATCH', path: (of) => `/partners/${of.partner.uid}/settings`, body: { cashOutMaximum: '7.00' } },
    row: ['partner', 'uid', partnerUid, ['settings']],
    type: 'PartnerSettingsChanged',
  },
  {
    ...{ method: 'PATCH', path: (of) => `/partners/${of.partner.uid}/limits`, body: { day: '9.00' } },
    row: ['partner', 'uid', partnerUid, ['settings']],
    type: 'DefaultPayoutLimitsChanged',
  },
  {
    ...{ method: 'PATCH', path: (of) => `/accounts/${account(of)}/contacts/${of.contact}`, body: { payment: '1.00' } },
    row: ['secure_contact', 'id', (of) => `${account(of)}/${of.contact}`, ['terms']],
    type: 'SecureContactChanged',
  },
  {
    ...{ method: 'POST', path: ({ auditor }) => `/auditors/${auditor}/revoke` },
    row: ['auditor', 'id', ({ auditor }) => auditor, ['status']],
    type: 'AuditorRevoked',
  },
];

/** Both partners are in one partition: a row of one cannot be made the other's else. */
const settings = { LEDGER_PARTITIONS: '1' };
let database: TestDatabase;
let service: Service;
/** Of one, everything is done before, and its rows tell how those of the other are to look. */
let twin: Subject;
let victim: Subject;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, settings);
  twin = await subject();
  victim = await subject();
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

async function subject(): Promise<Subject> {
  const operator = new OperatorApi(service.url);
  const partner = await operator.partner(['100.00', '0.00']);
  const { id: auditor } = await operator.post('/auditors', { name: 'One', partnerUid: partner.uid });
  const person = { name: 'Maria Silva', taxNumber: '11144477735', limits: { payment: '2.00' } };
  const { id: contact } = await operator.post(`/accounts/${partner.accounts[0]}/contacts`, person);
  return { partner, auditor, contact };
}

const act = async ({ method, path, body }: Act, of: Subject) =>
  (await call(service.url, method, `/admin${path(of)}`, { token: ADMIN_TOKEN, body })).status;

/** Makes the row what that of the twin is. @returns what puts it back */
async function pretend({ row: [table, key, keyOf, columns] }: Act): Promise<() => Promise<unknown>> {
  const read = async (of: Subject) => {
    const rows = await database.query(`select ${columns.join(', ')} from ${table} where ${key} = $1`, [keyOf(of)]);
    expect(rows).toHaveLength(1);
    return columns.map((column) => rows[0]![column]);
  };
  const set = (values: unknown[]) =>
    database.query(
      `update ${table} set ${columns.map((one, i) => `${one} = $${i + 2}`).join(', ')} where ${key} = $1`,
      [keyOf(victim), ...values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))],
    );
  const before = await read(victim);
  await set(await read(twin));
  return () => set(before);
}

const count = async (type: string) => (await database.query('select from event where type = $1', [type])).length;
const restart = async () => {
  await service.stop();
  service = await startService(database.url, settings);
};
const forget = ({ partner }: Subject) =>
  runLedger(['forget', '--tax-number', partner.taxNumber, '--partner', partner.uid], {
    ...settings,
    DATABASE_URL: database.url,
    RETENTION_YEARS: '0',
  });

/**
 * Somebody with the password of the service's role makes a row say that something was done already, lets the operator
 * do it, and puts the row back. Were the operator told that it is done, no event would say so, and none would be
 * missing.
 */
describe('what a row says to be done already, and the log does not,', () => {
  it('is refused, and done once the row is put back', async () => {
    for (const one of ACTS) expect([one.type, await act(one, twin)]).toEqual([one.type, 200]);
    // A process that has not read the rows yet decides on what they are now.
    await restart();
    const before = await Promise.all(ACTS.map(({ type }) => count(type)));
    for (const one of ACTS) {
      const putBack = await pretend(one);
      expect([one.type, await act(one, victim)]).toEqual([one.type, 503]);
      await putBack();
    }
    expect(service.output()).toContain('A row of accessKeys contradicts its events');
    expect(await Promise.all(ACTS.map(({ type }) => count(type)))).toEqual(before);
    const session = await PartnerApi.login(service.url, victim.partner.credentials);
    for (const one of ACTS) expect([one.type, await act(one, victim)]).toEqual([one.type, 200]);
    expect((await session.get('/accounts')).status).toBe(401);
    // What is done stays so: nothing is done twice.
    for (const one of ACTS) expect([one.type, await act(one, victim)]).toEqual([one.type, 200]);
    expect(await Promise.all(ACTS.map(({ type }) => count(type)))).toEqual(before.map((events) => events + 1));
  }, 60_000);

  it('keeps no key from being destroyed: a subject that a row calls forgotten', async () => {
    expect(await forget(twin)).toMatchObject({ code: 0 });
    const [{ partition, subject: known }] = (await database.query(
      `select partition, subject from subject_key where lookup = $1 order by partition desc limit 1`,
      [await lookupOf(victim)],
    )) as [any];
    const [{ subject: other }] = (await database.query(
      'select subject from forgotten_subject where partition = $1 limit 1',
      [partition],
    )) as [any];
    const set = (from: string, to: string) =>
      database.query('update forgotten_subject set subject = $1 where subject = $2', [to, from]);
    await set(other, known);
    expect((await forget(victim)).code).not.toBe(0);
    await set(known, other);
    expect(await forget(victim)).toMatchObject({ code: 0 });
  }, 60_000);

  it('is not what others do meanwhile: of acts at once none is refused', async () => {
    const path = `/admin/partners/${twin.partner.uid}/limits`;
    const limits = (day: string) => call(service.url, 'PATCH', path, { token: ADMIN_TOKEN, body: { day } });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => limits(`${1 + (i % 3)}.00`)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }, 60_000);

  it('leaves nothing for verify to find', async () => {
    const { stdout } = await runLedger(['verify', '--json', '--deep'], { ...settings, DATABASE_URL: database.url });
    expect(JSON.parse(stdout).divergences).toEqual([]);
  }, 60_000);
});

/** By which the keys of the partner's taxpayer are found. */
async function lookupOf({ partner }: Subject): Promise<Buffer> {
  const [row] = await database.query(
    `select k.lookup from subject_key k join partner p on k.subject = (p.holder ->> 'subject')::uuid where p.uid = $1`,
    [partner.uid],
  );
  return row!.lookup as Buffer;
}
