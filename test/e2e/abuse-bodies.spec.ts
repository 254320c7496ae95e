import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Answer, call, OperatorApi } from '../support/api.js';
import { parametersOf, type Route, ROUTES, undocumented } from '../support/api-document.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { asText, EXTREME_MOMENTS, HOSTILE } from '../support/hostile-values.js';
import { kindInPath, KnownThings, Pick } from '../support/known-things.js';
import { headersFor, identifiersOf, stock, type Stocked } from '../support/marketplace.js';
import { placesIn, replaced } from '../support/request-arbitraries.js';
import { type Service, startService } from '../support/service.js';
import { valid } from '../support/valid-values.js';

/** Every hostile value in every position of every route: a refusal or an answer of the document, never a fault. */

const AT_ONCE = 16;
// A file of payouts is text, read line by line: its own spec knows what it may not be.
const withBody = ROUTES.filter(({ body }) => body && body.type !== 'string');

let database: TestDatabase;
let service: Service;
let ours: Stocked;
const known = new KnownThings();

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { LOG_LEVEL: 'error' });
  ours = await stock(service, 'order-1', 'http://127.0.0.1:65535/hook');
  // Of one partner, some routes would refuse whatever is sent.
  ours = { ...ours, auditor: await new OperatorApi(service.url).post('/auditors', { name: 'Everything' }) };
  const spare = await stock(service, 'order-2', 'http://127.0.0.1:65535/hook');
  // Operators' routes act on the spare partner: what takes it out of use leaves ours as it is.
  known
    .add('anything', ...Object.values(identifiersOf(spare)))
    .add('account', ...spare.partner.accounts)
    .add('partner', spare.partner.uid)
    .add('credentials', spare.partner.credentials)
    .add('credential', spare.auditor.token)
    .add('webhook url', 'http://127.0.0.1:65535/hook');
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

const pathOf = (route: Route) =>
  route.path.replace(/\{\w+\}/g, () => String(known.resolve(new Pick(kindInPath(route), 0))));

function send(route: Route, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
  const sent = { ...headersFor(route, ours), ...headers };
  return call(service.url, route.method.toUpperCase(), path, { body, headers: sent });
}

/** A good body with as many members as it may have. */
function fullest(route: Route): unknown {
  const bodies = fc.sample(valid(route.body!), { numRuns: 20, seed: 7 }).map((body) => known.resolve(body));
  return bodies.sort((a, b) => placesIn(b).length - placesIn(a).length)[0];
}

/** Sends all, some at a time, and tells of every answer that is a fault or not in the document. */
async function faults(route: Route, requests: readonly (() => Promise<Answer>)[]): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < requests.length; i += AT_ONCE) {
    const answers = await Promise.all(requests.slice(i, i + AT_ONCE).map((request) => request()));
    for (const answer of answers) {
      const fault = answer.status >= 500 ? `${route.name} ${answer.status}` : undocumented(route, answer);
      if (fault) found.push(fault);
    }
  }
  return found;
}

describe.each(withBody.map((route) => [route.name, route] as const))('the body of %s', (_, route) => {
  it('may have anything hostile in any member', async () => {
    const body = fullest(route);
    const requests = placesIn(body).flatMap((place) =>
      Object.values(HOSTILE).map((value) => () => send(route, pathOf(route), replaced(body, place, value))),
    );
    expect(requests.length).toBeGreaterThan(50);
    expect(await faults(route, requests)).toEqual([]);
  }, 60_000);

  it('may be no body of ours at all: it is refused', async () => {
    const good = JSON.stringify(fullest(route));
    const open = good.slice(0, -1) + (good === '{}' ? '' : ',');
    const most = route.name.endsWith('/batch') ? 1024 * 1024 : 64 * 1024;
    const deep = (levels: number) => `${open}"deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const refused: Record<string, [string | Buffer, number]> = {
      nothing: ['', 400],
      'no JSON': ['{', 400],
      'two values': ['{}{}', 400],
      'a comment': ['{/* */}', 400],
      'a text': ['"text"', 400],
      'a number': ['1', 400],
      null: ['null', 400],
      'a list': ['[]', 400],
      'a list of bodies': [`[${good}]`, 400],
      'thirty levels too deep': [deep(62), 400],
      'thirty thousand levels': [deep(30_000), 400],
      'thirty thousand elements': [`${open}"x":[${'0,'.repeat(30_000)}0]}`, 400],
      'a byte order mark': [`\ufeff${good}`, 400],
      'half a surrogate pair': [`${open}"x":"\\ud800"}`, 400],
      'a number that no double holds': [`${open}"x":1e400}`, 400],
      'one in a list': [`${open}"x":[-1e999]}`, 400],
      'one of 5,000 digits, deep inside': [`${open}"x":{"y":[{"z":${'9'.repeat(5_000)}}]}}`, 400],
      'no UTF-8': [Buffer.concat([Buffer.from(`${open}"x":"`), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]), 400],
      'Latin 1': [Buffer.from(`${open}"x":"Jos\u00e9"}`, 'latin1'), 400],
      'more than the route takes': [`${open}"x":"${'x'.repeat(most)}"}`, 413],
      'a list of more than it takes': [`${open}"x":[${'0,'.repeat(most / 2)}0]}`, 413],
    };
    // A refund of all that is left needs no body, nor does the release or return of a whole hold, nor a full recovery,
    // nor a key for everything.
    if (/\/(refunds|release|return|access-keys|recoveries\/\{id\}\/accept)$/.test(route.name)) {
      delete refused.nothing;
      delete refused.null;
    }
    for (const [what, [text, status]] of Object.entries(refused)) {
      for (const key of [{}, { 'idempotency-key': 'abuse' }] as Record<string, string>[]) {
        const answer = await send(route, pathOf(route), text, { 'content-type': 'application/json', ...key });
        expect({ what, status: answer.status, fault: undocumented(route, answer) }).toEqual({ what, status });
      }
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
    ]) {
      const answer = await send(route, pathOf(route), good, { 'content-type': type });
      expect({ type, status: answer.status, fault: undocumented(route, answer) }).toEqual({ type, status: 415 });
    }
  });
});

describe.each(withBody.map((route) => [route.name, route] as const))('in the body of %s', (_, route) => {
  it.each([
    '"__proto__":{"polluted":true}',
    '"x":{"y":{"__proto__":{"polluted":true}}}',
    '"\\u005f_proto__":{"polluted":true}',
    '"constructor":{"prototype":{"polluted":true}}',
  ])('%s is ignored like any unknown member', async (member) => {
    const answer = await send(route, pathOf(route), `{${member}}`, { 'content-type': 'application/json' });
    const without = await send(route, pathOf(route), '{"x":1}', { 'content-type': 'application/json' });
    expect([answer.status, answer.body.error]).toEqual([without.status, without.body.error]);
  });
});

describe('paths and queries', () => {
  const ofPartition = (route: Route, text: string) => route.path.includes('{partition}') && /^\d+$/.test(text);
  const texts = Object.values(HOSTILE)
    .map((value) => asText(value).slice(0, 200))
    .filter((text) => text !== '' && text.isWellFormed());

  it.each(ROUTES.filter(({ path }) => path.includes('{')).map((route) => [route.name, route] as const))(
    'may have anything hostile in the path of %s: nothing is found',
    async (_, route) => {
      const body = route.body && fullest(route);
      const requests = texts
        .filter((text) => !ofPartition(route, text))
        .map((text) => async () => {
          const path = route.path.replace(/\{\w+\}/g, () => encodeURIComponent(text));
          const answer = await send(route, path, route.method === 'get' ? undefined : (body ?? {}));
          expect([400, 404, 410]).toContain(answer.status);
          return answer;
        });
      expect(await faults(route, requests)).toEqual([]);
    },
  );

  const acting = ROUTES.filter(
    (route) => route.method !== 'get' && !parametersOf(route, 'query').some(({ name }) => name === 'dryRun'),
  );
  it.each(acting.map((route) => [route.name, route] as const))(
    'are not acted on in a dry run of %s',
    async (_, route) => {
      const body = route.body && fullest(route);
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const path = `${pathOf(route)}?dryRun=true`;
      const answer = await send(route, path, body, headers);
      expect([answer.status, answer.body.error?.details?.[0]?.path]).toEqual([400, 'dryRun']);
      if (route.audience === 'public') return;
      expect((await call(service.url, route.method.toUpperCase(), path, { body, headers })).status).toBe(401);
    },
  );

  const parameters = ROUTES.flatMap((route) =>
    parametersOf(route, 'query').map(({ name }) => [route.name, name, route] as const),
  );
  it.each(parameters)('may have anything hostile in the query of %s (%s)', async (_, name, route) => {
    const others = parametersOf(route, 'query').filter((one) => one.required && one.name !== name);
    const required = others.map((one) => `${one.name}=1`);
    const own = pathOf({ ...route, path: route.path.replace('{partition}', '1') });
    const queries = [
      ...texts.map((text) => `${name}=${encodeURIComponent(text)}`),
      ...texts.slice(0, 5).map((text) => `${name}=${encodeURIComponent(text)}&${name}=x`),
      ...EXTREME_MOMENTS.map((text) => `${name}=${encodeURIComponent(text)}`),
      `${name}[]=1`,
      `${name}[$ne]=1`,
      `${name}=1&${name}=2&__proto__=1`,
      `${name}=%zz`,
    ];
    const requests = queries.map((query) => () => send(route, `${own}?${[...required, query].join('&')}`));
    expect(await faults(route, requests)).toEqual([]);
  });
});

describe('after all of that', () => {
  it('the ledger is sound, and the service as it was', async () => {
    await assertLedgerSound(database);
    const { body } = await ours.session.get('/accounts');
    expect(body.data.items.map(({ uid }: { uid: string }) => uid)).toEqual(ours.partner.accounts);
    expect(JSON.stringify(body)).not.toContain('polluted');
    expect((await call(service.url, 'GET', '/health/ready')).status).toBe(200);
    expect(service.output()).not.toContain('"level":"error"');
  });
});
