import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessWorld } from '../support/access-world.js';
import { type Answer, call } from '../support/api.js';
import { type Route, ROUTES, routesFor, undocumented } from '../support/api-document.js';
import { FROM_PAGE, signIn, type SignedIn } from '../support/console.js';
import { ADMIN_TOKEN } from '../support/service.js';

/** Sessions: on every route of the document, the console's cookie opens what it is for and nothing else. */

let world: AccessWorld;
beforeAll(async () => (world = await AccessWorld.start()), 60_000);
afterAll(() => world?.stop());

describe('a session of the console', () => {
  const sessions: Record<string, SignedIn> = {};
  let limited: SignedIn;
  beforeAll(async () => {
    sessions.operator = await signIn(world.service.url, ADMIN_TOKEN);
    sessions.auditor = await signIn(world.service.url, world.everything.token);
    limited = await signIn(world.service.url, world.ours.auditor.token);
  });

  /** With identifiers that are nobody's: what is let in finds nothing to change. */
  const ask = (route: Route, session: SignedIn, headers?: Record<string, string>): Promise<Answer> => {
    const path = world.pathOf({ ...route, path: route.path.replace(/\{\w+\}/g, 'nobodys') });
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
    const ofAll = auditors.filter(({ path }) => /^.audit.(overview|verifications)/.test(path));
    expect(ofAll.length).toBe(5);
    expect(await lets(limited, auditors)).toEqual(names(auditors.filter((route) => !ofAll.includes(route))));
  });

  it('changes nothing without X-Console, or from another site, on any route; nor is it read from there', async () => {
    const before = await world.events();
    const foreign: Record<string, Record<string, string>> = {
      'no header at all': {},
      'X-Console alone': { 'x-console': '1' },
      'no X-Console': { 'sec-fetch-site': 'same-origin', origin: new URL(world.service.url).origin },
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
    const reading = ROUTES.filter((one) => one.takesSession && one.method === 'get');
    expect(reading.length).toBeGreaterThan(15);
    for (const route of reading) {
      const { status } = await ask(route, sessions.operator!, foreign['another site']);
      expect({ route: route.name, status }).toEqual({ route: route.name, status: 403 });
    }
    expect(await world.events()).toBe(before);
    expect((await sessions.operator!.request('GET', '/console/session')).status).toBe(200);
  });

  it('that is made up, signed out, or of an auditor who was revoked opens nothing', async () => {
    const out = await signIn(world.service.url, ADMIN_TOKEN);
    expect((await out.request('DELETE', '/console/session')).status).toBe(200);
    const { id, token } = await world.operator.post('/auditors', { name: 'Leaving' });
    const revoked = await signIn(world.service.url, token);
    await world.operator.post(`/auditors/${id}/revoke`);
    const cookies = { 'signed out': out.cookie, 'of one who was revoked': revoked.cookie };
    const madeUp = { random: `console=${'A'.repeat(43)}`, 'the token': `console=${ADMIN_TOKEN}` };
    for (const [why, cookie] of Object.entries({ ...cookies, ...madeUp })) {
      for (const route of ROUTES.filter((one) => one.takesSession && one.audience !== 'public')) {
        const headers = { ...FROM_PAGE, cookie };
        const body = route.method === 'get' ? undefined : {};
        const { status } = await call(world.service.url, route.method.toUpperCase(), world.pathOf(route), {
          headers,
          body,
        });
        // A revoked auditor is known on operators' routes: and may not.
        const isKnown = why === 'of one who was revoked' && route.audience === 'operator';
        expect({ why, route: route.name, status }).toEqual({ why, route: route.name, status: isKnown ? 403 : 401 });
      }
    }
  });

  it('is not opened by the credentials of partners', async () => {
    const { secret, accessKey } = world.ours.partner.credentials;
    for (const credential of [
      world.ours.session.token,
      secret,
      accessKey,
      `${accessKey}:${secret}`,
      world.everything.id,
    ]) {
      const answer = await call(world.service.url, 'POST', '/console/session', {
        body: { credential },
        headers: FROM_PAGE,
      });
      expect(answer).toMatchObject({ status: 401, body: { error: { name: 'AuthenticationError' } } });
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    for (const token of [world.ours.session.token, ADMIN_TOKEN, world.everything.token]) {
      expect((await call(world.service.url, 'GET', '/console/session', { token })).status).toBe(401);
    }
  });
});
