import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../src/auth/index.js';
import { AccessWorld } from '../support/access-world.js';
import { call, PartnerApi } from '../support/api.js';
import { audienceOf, OPERATIONS, ROUTES, routesFor } from '../support/api-document.js';
import { eventually } from '../support/eventually.js';
import { forgedTokens } from '../support/forged-tokens.js';
import { ADMIN_TOKEN, SETTINGS, startService } from '../support/service.js';

/** Tokens: on every route of the document, each kind of credential opens what it is for and nothing else. */

let world: AccessWorld;
beforeAll(async () => (world = await AccessWorld.start()), 60_000);
afterAll(() => world?.stop());

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
    const before = await world.events();
    for (const route of ROUTES.filter(({ audience }) => audience !== 'public')) {
      await world.expectRefused(route, why, authorization);
    }
    expect(await world.events()).toBe(before);
  });
});

describe('with a credential that is not for it', () => {
  it('a partner route refuses every forged token, and the credentials of operators and auditors', async () => {
    const other = await world.operator.partner(['10.00']);
    const forged = forgedTokens(world.ours.session.token, other.credentials.accessKey);
    const foreign = {
      operator: ADMIN_TOKEN,
      auditor: world.everything.token,
      secret: world.ours.partner.credentials.secret,
    };
    const before = await world.events();
    for (const route of routesFor('partner')) {
      for (const [why, token] of Object.entries({ ...forged, ...foreign })) {
        await world.expectRefused(route, why, `Bearer ${token}`);
      }
    }
    expect(await world.events()).toBe(before);
  }, 60_000);

  it("an operator route refuses partners' and auditors', and whatever is nearly the operator's", async () => {
    const near = {
      partner: world.ours.session.token,
      auditor: world.everything.token,
      'with its name': `tester:${ADMIN_TOKEN}`,
      'the name': 'tester',
      shorter: ADMIN_TOKEN.slice(0, -1),
      longer: `${ADMIN_TOKEN}x`,
      'another case': ADMIN_TOKEN.toUpperCase(),
      'the secret of the tokens': SETTINGS.KEY_PEPPER,
      undefined: 'undefined',
    };
    const before = await world.events();
    for (const route of routesFor('operator')) {
      for (const [why, token] of Object.entries(near)) await world.expectRefused(route, why, `Bearer ${token}`);
    }
    expect(await world.events()).toBe(before);
  });

  it("an auditor route refuses partners' and operators', altered ones, and one that was revoked", async () => {
    const revoked = await world.operator.post('/auditors', { name: 'Revoked' });
    await world.operator.post(`/auditors/${revoked.id}/revoke`);
    const secret = world.everything.token.split('_').slice(2).join('_');
    const wrong = {
      partner: world.ours.session.token,
      operator: ADMIN_TOKEN,
      'an access key and its secret': `aud_${world.ours.partner.credentials.accessKey}_${secret}`,
      "one auditor's id with another's secret": `aud_${world.ours.auditor.id}_${secret}`,
      'its id without a secret': `aud_${world.everything.id}_`,
      altered: world.everything.token.slice(0, -1) + (world.everything.token.endsWith('A') ? 'B' : 'A'),
      revoked: revoked.token as string,
    };
    for (const route of routesFor('auditor')) {
      for (const [why, token] of Object.entries(wrong)) await world.expectRefused(route, why, `Bearer ${token}`);
      expect((await world.attempt(route, { authorization: `Bearer ${world.everything.token}` })).status).not.toBe(401);
    }
  });
});

/**
 * For transfers and payouts alike: what is in the body, or behind the identifier, decides which permission it needs.
 */
const OF_EITHER = [
  'post /partners-int/accounts/schedules',
  'delete /partners-int/accounts/schedules/{id}',
  'post /partners-int/accounts/transactions/{id}/cancel',
];

describe('a key', () => {
  it('needs exactly one permission on every partner route; reading never lets it change anything', async () => {
    const sessions = await Promise.all(
      PERMISSIONS.map(async (permission) => {
        const key = await world.operator.post(`/accounts/${world.ours.partner.accounts[1]}/access-keys`, {
          permissions: [permission],
        });
        return { permission, token: (await PartnerApi.login(world.service.url, key)).token };
      }),
    );
    for (const route of routesFor('partner')) {
      const answers = await Promise.all(
        sessions.map(async ({ permission, token }) => ({
          permission,
          answer: await world.attempt(route, { authorization: `Bearer ${token}` }),
        })),
      );
      const let_in = answers.filter(({ answer }) => answer.status !== 403).map(({ permission }) => permission);
      const expected = OF_EITHER.includes(route.name) ? ['pix:cashout', 'transfers:write'] : [let_in[0]];
      // Strictly: a route that no permission opens would equal `[undefined]`.
      expect({ route: route.name, let_in: let_in.sort() }).toStrictEqual({ route: route.name, let_in: expected });
      if (route.method !== 'get') expect(let_in).not.toContain('accounts:read');
      for (const { answer } of answers.filter((one) => one.answer.status === 403)) {
        expect(answer.body).toEqual({ message: 'Forbidden' });
      }
    }
    const nobody = await world.operator.post(`/accounts/${world.ours.partner.accounts[1]}/access-keys`, {
      permissions: [],
    });
    const { token } = await PartnerApi.login(world.service.url, nobody);
    for (const route of routesFor('partner'))
      expect((await world.attempt(route, { authorization: `Bearer ${token}` })).status).toBe(403);
  });

  it('with an allow-list opens every partner route from inside of it, and none from elsewhere', async () => {
    const networks = { permissions: PERMISSIONS, allowedIps: ['203.0.113.0/24'] };
    const key = await world.operator.post(`/accounts/${world.ours.partner.accounts[1]}/access-keys`, networks);
    // Behind a proxy that is trusted, so that one caller can be in two places. It tells the port of the caller too.
    const proxied = await startService(world.database.url, { ROLE: 'api', TRUSTED_PROXIES: '127.0.0.1/32' });
    try {
      const from = (address: string) => ({ 'x-forwarded-for': address });
      const body = { accessKey: key.accessKey, secret: key.secret };
      const login = await call(proxied.url, 'POST', '/partners-int/login', { body, headers: from('203.0.113.7') });
      const authorization = `Bearer ${login.body.data.token}`;
      for (const route of routesFor('partner')) {
        const inside = await world.attempt(route, { authorization, ...from('203.0.113.8:51234') }, proxied.url);
        const isOpen = ![401, 403].includes(inside.status);
        expect({ route: route.name, isOpen }).toEqual({ route: route.name, isOpen: true });
        const outside = await world.attempt(route, { authorization, ...from('203.0.114.8:51234') }, proxied.url);
        expect(outside).toMatchObject({ status: 403, body: { message: 'Forbidden' } });
      }
    } finally {
      await proxied.stop();
    }
  }, 60_000);

  it('that is disabled while its requests run does nothing more once that is answered, on any route', async () => {
    const partner = await world.operator.partner(['1000.00', '0.00']);
    const session = await PartnerApi.login(world.service.url, partner.credentials);
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
    await world.operator.post(`/access-keys/${partner.credentials.accessKey}/disable`);
    disabled = true;
    await running;
    expect(done.late).toBe(0);
    const [moved] = await world.database.query('select available from account where uid = $1', [partner.accounts[1]]);
    expect(Number(moved!.available)).toBe(done.before * 100);
    for (const route of routesFor('partner')) await world.expectRefused(route, 'disabled', `Bearer ${session.token}`);
  });
});
