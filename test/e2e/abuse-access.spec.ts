import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, OperatorApi, PartnerApi } from '../support/api.js';
import {
  audienceOf,
  OPERATIONS,
  parametersOf,
  type Route,
  ROUTES,
  routesFor,
  undocumented,
} from '../support/api-document.js';
import { FROM_PAGE, signIn, type SignedIn } from '../support/console.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { forgedTokens } from '../support/forged-tokens.js';
import { identifiersOf, stock, type Stocked } from '../support/marketplace.js';
import { ADMIN_TOKEN, type Service, SETTINGS, startService } from '../support/service.js';

const PERMISSIONS = ['accounts:read', 'transfers:write', 'pix:cashin', 'pix:cashout', 'webhooks:manage'];

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let ours: Stocked;
let everything: { id: string; token: string };

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  operator = new OperatorApi(service.url);
  ours = await stock(service, 'order-1', 'http://127.0.0.1:65535/hook');
  everything = await operator.post('/auditors', { name: 'Everything' });
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

/** A route with identifiers of ours in it, so that nothing but the credential is wrong. */
function pathOf(route: Route): string {
  const ids = identifiersOf(ours);
  const own = { uid: ids.account, id: ids.paidCashIn, accessKey: ids.accessKey, partition: '0' } as Record<
    string,
    string
  >;
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => own[name] ?? ids.transfer!);
  const query = parametersOf(route, 'query').filter(({ required }) => required);
  return query.length === 0 ? path : `${path}?${query.map(({ name }) => `${name}=1`).join('&')}`;
}

function attempt(route: Route, authorization?: string): Promise<Answer> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const body = route.method === 'get' ? undefined : {};
  return call(service.url, route.method.toUpperCase(), pathOf(route), { headers, body });
}

/** Nothing is said but that the credential is wrong, and nothing is done. */
async function expectRefused(route: Route, why: string, authorization?: string): Promise<void> {
  const answer = await attempt(route, authorization);
  const told = { route: route.name, why, status: answer.status, name: answer.body.error?.name };
  expect(told).toEqual({ route: route.name, why, status: 401, name: 'AuthenticationError' });
  expect(Object.keys(answer.body.error).sort()).toEqual(['message', 'name']);
  expect(undocumented(route, answer)).toBeUndefined();
}

async function events(): Promise<number> {
  const [row] = await database.query<{ events: string }>('select count(*) as events from event');
  return Number(row!.events);
}

describe('the document', () => {
  it('says of every route whom it is for, and this suite goes through all of them', () => {
    const unclassified = OPERATIONS.filter(({ name, definition }) => !audienceOf(name, definition));
    expect(unclassified.map(({ name }) => name)).toEqual([]);
    expect(ROUTES.length).toBe(OPERATIONS.length);
  });

  it('would not pass with a route that forgot its guard, or that is both open and guarded', () => {
    expect(audienceOf('get /partners-int/forgotten', { responses: {} })).toBeUndefined();
    expect(audienceOf('get /metrics', { security: [{ operator: [] }] })).toBeUndefined();
    expect(audienceOf('get /x', { security: [{ unheard: [] }] })).toBeUndefined();
    expect(audienceOf('get /x', { security: [{ operator: [] }, {}] })).toBeUndefined();
    expect(audienceOf('get /x', { security: [{ bearer: [] }, { console: [] }] })).toBeUndefined();
    expect(audienceOf('get /x', { security: [{ operator: [], console: [] }] })).toBeUndefined();
  });
});

describe('without a credential', () => {
  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['a scheme alone', 'Bearer'],
    ['two words', 'Bearer a b'],
    ['another scheme', `Basic ${Buffer.from(`tester:${ADMIN_TOKEN}`).toString('base64')}`],
    ['SQL', `Bearer '/**/or/**/1=1--`],
  ])('(%s) every route that is not public is refused, and changes nothing', async (why, authorization) => {
    const before = await events();
    for (const route of ROUTES.filter(({ audience }) => audience !== 'public')) {
      await expectRefused(route, why, authorization);
    }
    expect(await events()).toBe(before);
  });
});

describe('with a credential that is not for it', () => {
  it('a partner route refuses every forged token, and the credentials of operators and auditors', async () => {
    const other = await operator.partner(['10.00']);
    const forged = forgedTokens(ours.session.token, other.credentials.accessKey);
    const foreign = { operator: ADMIN_TOKEN, auditor: everything.token, secret: ours.partner.credentials.secret };
    const before = await events();
    for (const route of routesFor('partner')) {
      for (const [why, token] of Object.entries({ ...forged, ...foreign })) {
        await expectRefused(route, why, `Bearer ${token}`);
      }
    }
    expect(await events()).toBe(before);
  }, 60_000);

  it("an operator route refuses partners' and auditors', and whatever is nearly the operator's", async () => {
    const near = {
      partner: ours.session.token,
      auditor: everything.token,
      'with its name': `tester:${ADMIN_TOKEN}`,
      'the name': 'tester',
      shorter: ADMIN_TOKEN.slice(0, -1),
      longer: `${ADMIN_TOKEN}x`,
      'another case': ADMIN_TOKEN.toUpperCase(),
      'the secret of the tokens': SETTINGS.KEY_PEPPER,
      undefined: 'undefined',
    };
    const before = await events();
    for (const route of routesFor('operator')) {
      for (const [why, token] of Object.entries(near)) await expectRefused(route, why, `Bearer ${token}`);
    }
    expect(await events()).toBe(before);
  });

  it("an auditor route refuses partners' and operators', altered ones, and one that was revoked", async () => {
    const revoked = await operator.post('/auditors', { name: 'Revoked' });
    await operator.post(`/auditors/${revoked.id}/revoke`);
    const secret = everything.token.split('_').slice(2).join('_');
    const wrong = {
      partner: ours.session.token,
      operator: ADMIN_TOKEN,
      'an access key and its secret': `aud_${ours.partner.credentials.accessKey}_${secret}`,
      "one auditor's id with another's secret": `aud_${ours.auditor.id}_${secret}`,
      'its id without a secret': `aud_${everything.id}_`,
      altered: everything.token.slice(0, -1) + (everything.token.endsWith('A') ? 'B' : 'A'),
      revoked: revoked.token as string,
    };
    for (const route of routesFor('auditor')) {
      for (const [why, token] of Object.entries(wrong)) await expectRefused(route, why, `Bearer ${token}`);
      expect((await attempt(route, `Bearer ${everything.token}`)).status).not.toBe(401);
    }
  });
});

describe('a session of the console', () => {
  const sessions: Record<string, SignedIn> = {};
  let limited: SignedIn;
  beforeAll(async () => {
    sessions.operator = await signIn(service.url, ADMIN_TOKEN);
    sessions.auditor = await signIn(service.url, everything.token);
    limited = await signIn(service.url, ours.auditor.token);
  });

  /** With identifiers that are nobody's: what is let in finds nothing to change. */
  const ask = (route: Route, session: SignedIn, headers?: Record<string, string>): Promise<Answer> => {
    const path = pathOf({ ...route, path: route.path.replace(/\{\w+\}/g, 'nobodys') });
    return session.request(route.method.toUpperCase(), path, route.method === 'get' ? undefined : {}, headers);
  };
  const lets = async (session: SignedIn, routes: readonly Route[]) => {
    const answers = await Promise.all(routes.map(async (route) => ({ route, answer: await ask(route, session) })));
    return answers.filter(({ answer }) => ![401, 403].includes(answer.status)).map(({ route }) => route.name);
  };
  const names = (routes: readonly Route[]) => routes.map(({ name }) => name);

  it('opens no route of partners: nothing is done with a cookie there', async () => {
    for (const route of routesFor('partner')) {
      for (const [who, session] of Object.entries(sessions)) {
        const { status } = await ask(route, session);
        expect({ route: route.name, who, status }).toEqual({ route: route.name, who, status: 401 });
      }
    }
  });

  it('of an operator opens every route of operators and auditors; of an auditor those of auditors alone', async () => {
    // Each makes nothing of an empty body, or of identifiers that are nobody's; but a verification reads.
    const [operators, auditors] = [routesFor('operator'), routesFor('auditor')];
    expect(await lets(sessions.operator!, [...operators, ...auditors])).toEqual(names([...operators, ...auditors]));
    expect(await lets(sessions.auditor!, operators)).toEqual([]);
    expect(await lets(sessions.auditor!, auditors)).toEqual(names(auditors));
    expect(await lets(limited, operators)).toEqual([]);
    const ofAll = auditors.filter(({ path }) => path === '/audit/overview' || path.startsWith('/audit/verifications'));
    expect(ofAll.length).toBe(4);
    expect(await lets(limited, auditors)).toEqual(names(auditors.filter((route) => !ofAll.includes(route))));
  });

  it('changes nothing without X-Console, or from another site, on any route; nor is it read from there', async () => {
    const before = await events();
    const foreign: Record<string, Record<string, string>> = {
      'no header at all': {},
      'X-Console alone': { 'x-console': '1' },
      'no X-Console': { 'sec-fetch-site': 'same-origin', origin: new URL(service.url).origin },
      'another site': { ...FROM_PAGE, 'sec-fetch-site': 'cross-site' },
      'another origin': { ...FROM_PAGE, origin: 'https://evil.example' },
    };
    const changing = ROUTES.filter((route) => route.takesSession && route.method !== 'get');
    expect(changing.length).toBeGreaterThan(15);
    for (const route of changing) {
      for (const [why, headers] of Object.entries(foreign)) {
        const answer = await ask(route, sessions.operator!, headers);
        const told = { route: route.name, why, status: answer.status, body: answer.body };
        expect(told).toEqual({ route: route.name, why, status: 403, body: { message: 'Forbidden' } });
        expect(undocumented(route, answer)).toBeUndefined();
      }
    }
    for (const route of ROUTES.filter((one) => one.takesSession && one.method === 'get')) {
      const { status } = await ask(route, sessions.operator!, foreign['another site']);
      expect({ route: route.name, status }).toEqual({ route: route.name, status: 403 });
    }
    expect(await events()).toBe(before);
    expect((await sessions.operator!.request('GET', '/console/session')).status).toBe(200);
  });

  it('that is made up, signed out, or of an auditor who was revoked opens nothing', async () => {
    const out = await signIn(service.url, ADMIN_TOKEN);
    expect((await out.request('DELETE', '/console/session')).status).toBe(200);
    const { id, token } = await operator.post('/auditors', { name: 'Leaving' });
    const revoked = await signIn(service.url, token);
    await operator.post(`/auditors/${id}/revoke`);
    const cookies = { 'signed out': out.cookie, 'of one who was revoked': revoked.cookie };
    const madeUp = { random: `console=${'A'.repeat(43)}`, 'the token': `console=${ADMIN_TOKEN}` };
    for (const [why, cookie] of Object.entries({ ...cookies, ...madeUp })) {
      for (const route of ROUTES.filter((one) => one.takesSession && one.audience !== 'public')) {
        const headers = { ...FROM_PAGE, cookie };
        const body = route.method === 'get' ? undefined : {};
        const { status } = await call(service.url, route.method.toUpperCase(), pathOf(route), { headers, body });
        // A revoked auditor is known on operators' routes: and may not.
        const isKnown = why === 'of one who was revoked' && route.audience === 'operator';
        expect({ why, route: route.name, status }).toEqual({ why, route: route.name, status: isKnown ? 403 : 401 });
      }
    }
  });

  it('is not opened by the credentials of partners', async () => {
    const { secret, accessKey } = ours.partner.credentials;
    for (const credential of [ours.session.token, secret, accessKey, `${accessKey}:${secret}`, everything.id]) {
      const answer = await call(service.url, 'POST', '/console/session', { body: { credential }, headers: FROM_PAGE });
      expect(answer).toMatchObject({ status: 401, body: { error: { name: 'AuthenticationError' } } });
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    for (const token of [ours.session.token, ADMIN_TOKEN, everything.token]) {
      expect((await call(service.url, 'GET', '/console/session', { token })).status).toBe(401);
    }
  });
});

describe('a key', () => {
  it('needs exactly one permission on every partner route; reading never lets it change anything', async () => {
    const sessions = await Promise.all(
      PERMISSIONS.map(async (permission) => {
        const key = await operator.post(`/accounts/${ours.partner.accounts[1]}/access-keys`, {
          permissions: [permission],
        });
        return { permission, token: (await PartnerApi.login(service.url, key)).token };
      }),
    );
    for (const route of routesFor('partner')) {
      const answers = await Promise.all(
        sessions.map(async ({ permission, token }) => ({
          permission,
          answer: await attempt(route, `Bearer ${token}`),
        })),
      );
      const let_in = answers.filter(({ answer }) => answer.status !== 403).map(({ permission }) => permission);
      expect({ route: route.name, let_in: let_in.length }).toEqual({ route: route.name, let_in: 1 });
      if (route.method !== 'get') expect(let_in).not.toContain('accounts:read');
      for (const { answer } of answers.filter((one) => one.answer.status === 403)) {
        expect(answer.body).toEqual({ message: 'Forbidden' });
      }
    }
    const nobody = await operator.post(`/accounts/${ours.partner.accounts[1]}/access-keys`, { permissions: [] });
    const { token } = await PartnerApi.login(service.url, nobody);
    for (const route of routesFor('partner')) expect((await attempt(route, `Bearer ${token}`)).status).toBe(403);
  });

  it('that is disabled while its requests run does nothing more once that is answered, on any route', async () => {
    const partner = await operator.partner(['1000.00', '0.00']);
    const session = await PartnerApi.login(service.url, partner.credentials);
    let disabled = false;
    const done = { before: 0, late: 0 };
    const move = async (): Promise<void> => {
      const isLate = disabled;
      const { status } = await session.transfer(partner.accounts[1]!, '1.00');
      if (status === 201) done[isLate ? 'late' : 'before'] += 1;
      if (status !== 401) await move();
    };
    const running = Promise.all(Array.from({ length: 8 }, move));
    await eventually(() => done.before > 20);
    await operator.post(`/access-keys/${partner.credentials.accessKey}/disable`);
    disabled = true;
    await running;
    expect(done.late).toBe(0);
    const [moved] = await database.query('select available from account where uid = $1', [partner.accounts[1]]);
    expect(Number(moved!.available)).toBe(done.before * 100);
    for (const route of routesFor('partner')) await expectRefused(route, 'disabled', `Bearer ${session.token}`);
  });
});
