import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, OperatorApi, type PartnerApi } from '../support/api.js';
import { parametersOf, type Route, routesFor } from '../support/api-document.js';
import { signIn } from '../support/console.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { headersFor, identifiersOf, stock, type Stocked } from '../support/marketplace.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';
import { cashInBody, cashOutBody, withMember } from '../support/pix-bodies.js';
import { type Service, startService } from '../support/service.js';

/** What one partner, and an auditor of one partner, can learn of another: in every position of every route. */

const HOOK = 'http://127.0.0.1:65535/hook';

let database: TestDatabase;
let service: Service;
let ours: Stocked;
let theirs: Stocked;
/** An identifier that is well-formed, of the same partition, and nobody's. */
let nobodys: string;
/** Identifiers of theirs, of the operator's accounts for them, and one of ours that no partner route is about. */
let foreign: Record<string, string>;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { LEDGER_PARTITIONS: '1', CHECKPOINT_INTERVAL_SECONDS: '1' });
  ours = await stock(service, 'our-order', HOOK);
  theirs = await stock(service, 'their-order', HOOK);
  nobodys = `01a1f8b7-9c84-7${ours.partner.accounts[0]!.slice(15, 18)}-9322-7f81595ccd24`;
  // A second key, and two of everything that is listed, so that lists have a next page.
  const operator = new OperatorApi(service.url);
  for (const { partner } of [ours, theirs]) await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, {});
  const order = { amount: '0.01', cause: 'Med', reference: 'R-1' };
  let hold = { id: '' };
  for (const { partner } of [ours, ours, theirs, theirs]) {
    hold = await operator.post(`/accounts/${partner.accounts[0]}/holds`, order);
  }
  for (const { session, endToEndId } of [ours, theirs]) await contest(session, endToEndId);
  const listed = { ...(await twoOfEach(operator, ours)), ...(await twoOfEach(operator, theirs)) };
  const [system] = await database.query<{ uid: string }>(
    `select uid from account where system = 'pix-settlement' and partner_uid = $1`,
    [theirs.partner.uid],
  );
  foreign = { ...identifiersOf(theirs), ...listed, system: system!.uid, hold: hold.id, 'our auditor': ours.auditor.id };
  await eventually(async () => (await call(service.url, 'GET', '/checkpoints/1')).status === 200);
  await eventually(async () => {
    const behind = await database.query(
      'select 1 from subscription s join log_head h using (partition) where s.position < h.position',
    );
    return behind.length === 0;
  });
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

/** Secure contacts, schedules and files of payouts. @returns one of each */
async function twoOfEach(operator: OperatorApi, { partner, session }: Stocked): Promise<Record<string, string>> {
  const [uid, second] = partner.accounts as [string, string];
  const files = new PayoutFiles(service.url, session.token);
  const transfer = { refAccountCredit: second, transferAmount: '1.00' };
  const ids: Record<string, string> = {};
  for (const [i, taxNumber] of ['52998224725', '11144477735'].entries()) {
    const contact = { name: 'Ana', taxNumber, limits: { day: '9000.00' } };
    ids.contact = (await operator.post(`/accounts/${uid}/contacts`, contact)).id;
    const schedule = await session.post('/accounts/schedules', {
      every: 'month',
      count: 3,
      startsOn: soon(),
      transfer,
    });
    expect(schedule.status).toBe(201);
    ids.schedule = schedule.body.data.id;
    const file = await files.upload(payoutCsv(1, `${partner.uid}-${i}`, '0.01'), { 'idempotency-key': `file-${i}` });
    ids.file = (await files.ended(file.body.data.id)).id;
  }
  return ids;
}

/** A date ten days away. */
const soon = () => new Date(Date.now() + 10 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** Two reports about a deposit, and a recovery of each of two payouts. */
async function contest(session: PartnerApi, endToEndId: string): Promise<void> {
  for (const amount of ['0.01', '0.02']) {
    const reported = { endToEndId, amount, reason: 'Scam' };
    await call(service.url, 'POST', '/sandbox/pix/infractions', { body: reported });
    const payout = (await session.post('/accounts/pix/cashout', cashOutBody.key('1.00'))).body.data.transaction.id;
    await eventually(
      async () => (await session.get(`/accounts/transactions/${payout}`)).body.data.transaction.state === 'Completed',
    );
    const asked = await session.post(`/accounts/pix/cashout/${payout}/recovery`, { reason: 'Scam', details: 'd' });
    expect(asked.status).toBe(201);
  }
}

/** An answer with the identifier that was asked for taken out: what is left must not depend on whose it is. */
const anonymous = ({ status, body }: Answer, id: string) => JSON.stringify({ status, body }).replaceAll(id, '<id>');

function ask(route: Route, path: string, body?: unknown, as = ours): Promise<Answer> {
  const sent = route.method === 'get' ? undefined : (body ?? {});
  return call(service.url, route.method.toUpperCase(), path, { headers: headersFor(route, as), body: sent });
}

/** Bodies that are good but for the identifier, so that it is what the answer is about. */
const BODIES: Readonly<Record<string, unknown>> = {
  'post /partners-int/accounts/pix/cashin/{id}/refunds': { amount: '0.01' },
  'post /partners-int/accounts/pix/cashout/{id}/recovery': { reason: 'Scam', details: 'd' },
  'post /partners-int/med/{id}/defence': { text: 't' },
};

function filled(route: Route, id: string): string {
  return route.path.replace(/\{\w+\}/g, id);
}

/** Figures and verifications of all partners together: an auditor of one partner gets none of it. */
const ofAllPartners = ({ path }: Route) => path === '/audit/overview' || path.startsWith('/audit/verifications');
const inPath = (route: Route) =>
  !ofAllPartners(route) && parametersOf(route, 'path').length > 0 && !route.path.includes('{partition}');
const aboutThem = ['get', 'post'].flatMap((method) =>
  [...routesFor('partner'), ...routesFor('auditor')].filter((route) => route.method === method && inPath(route)),
);

describe("an identifier of another partner's", () => {
  it.each(aboutThem.map((route) => [route.name, route] as const))(
    'in the path of %s answers like one that is nobody’s: 404',
    async (_, route) => {
      const expected = await ask(route, filled(route, nobodys), BODIES[route.name]);
      expect(expected).toMatchObject({ status: 404, body: { error: { name: 'EntityNotFound' } } });
      for (const [what, id] of Object.entries(foreign)) {
        const answer = await ask(route, filled(route, id), BODIES[route.name]);
        expect({ what, answer: anonymous(answer, id) }).toEqual({ what, answer: anonymous(expected, nobodys) });
      }
    },
  );

  const filters = [...routesFor('partner'), ...routesFor('auditor')].flatMap((route) =>
    parametersOf(route, 'query')
      .filter(({ name, schema }) => !schema?.enum && /id$|^(partner|account)$/i.test(name))
      .map(({ name }) => [route.name, name, route] as const),
  );
  it.each(filters)('as a filter of %s (%s) finds nothing', async (_, name, route) => {
    const others = [...Object.values(foreign), theirs.endToEndId, theirs.orderId, nobodys];
    for (const id of [...others, ...others.map((one) => one.replaceAll('-', ''))]) {
      const { status, body } = await ask(route, `${route.path}?${name}=${id}`);
      expect({ name, id, status, data: body.data }).toEqual({
        name,
        id,
        status: 200,
        data: { items: [], nextCursor: null, ...(body.data.partitionsAway && { partitionsAway: [] }) },
      });
    }
    const { orderId, endToEndId, paidCashIn, partner } = ours;
    const known: Record<string, string> = {
      ...{ orderId, endToEndId, id: paidCashIn, transactionId: paidCashIn, txid: paidCashIn.replaceAll('-', '') },
      ...{ partner: partner.uid, account: partner.accounts[0]! },
    };
    expect((await ask(route, `${route.path}?${name}=${known[name]}`)).body.data.items.length).toBeGreaterThan(0);
  });

  it('beside a filter that theirs would fit finds nothing: amount, person and period narrow what may be seen', async () => {
    const search = routesFor('auditor').find(({ name }) => name === 'get /audit/transactions')!;
    const mine = new Set((await ask(search, `${search.path}?limit=100`)).body.data.items.map(({ id }: any) => id));
    expect(mine.size).toBeGreaterThan(4);
    for (const query of ['amount=20.00', 'amount=1.00', 'taxNumber=52998224725', 'from=2020-01-01', 'type=CashIn']) {
      const { items } = (await ask(search, `${search.path}?${query}&limit=100`)).body.data;
      expect({ query, isEmpty: items.length === 0 }).toEqual({ query, isEmpty: false });
      expect(items.filter(({ id }: any) => !mine.has(id))).toEqual([]);
      const theirsToo = (await ask(search, `${search.path}?${query}&limit=100`, undefined, theirs)).body.data.items;
      expect({ query, isEmpty: theirsToo.length === 0 }).toEqual({ query, isEmpty: false });
      expect(theirsToo.filter(({ id }: any) => mine.has(id))).toEqual([]);
    }
  });

  it('as a destination of a transfer answers like one that is nobody’s: 404', async () => {
    const transfer = (to: string) => ours.session.transfer(to, '1.00');
    const expected = anonymous(await transfer(nobodys), nobodys);
    expect(JSON.parse(expected).status).toBe(404);
    for (const id of Object.values(foreign)) expect(anonymous(await transfer(id), id)).toBe(expected);
  });
});

describe('lists', () => {
  const lists = [...routesFor('partner'), ...routesFor('auditor')].filter(
    (route) => route.method === 'get' && parametersOf(route, 'query').some(({ name }) => name === 'cursor'),
  );
  const own = (route: Route, { partner, paidCashIn }: Stocked) =>
    route.path
      .replace('{uid}', route.path.includes('/partners/') ? partner.uid : partner.accounts[0]!)
      .replace('{id}', paidCashIn)
      .replace('{partition}', '1')
      .concat(route.name === 'get /audit/events' ? '?partition=1' : '');

  it.each(lists.map((route) => [route.name, route] as const))('%s shows nothing of theirs', async (_, route) => {
    const { status, body } = await ask(route, own(route, ours));
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    const found = Object.entries(identifiersOf(theirs)).filter(([, id]) => text.includes(id));
    expect(found).toEqual([]);
    expect(text).not.toContain(theirs.orderId);
  });

  // The checkpoints of a partition are the same to everybody; an auditor of one partner sees one; one deposit has one
  // delivery, and its cursor is that of the partner's own list.
  const withoutNext = ['get /audit/partners', 'get /audit/transactions/{id}/deliveries'];
  const ofSomebody = lists.filter(({ name, path }) => !path.includes('checkpoints') && !withoutNext.includes(name));
  it.each(ofSomebody.map((route) => [route.name, route] as const))('%s takes no cursor of theirs', async (_, route) => {
    const path = own(route, theirs);
    const limited = `${path}${path.includes('?') ? '&' : '?'}limit=1`;
    const asThem = await ask(route, limited, undefined, theirs);
    const cursor = asThem.body.data.nextCursor as string;
    expect(cursor).toEqual(expect.any(String));
    const ownPath = own(route, ours);
    const stolen = `${ownPath}${ownPath.includes('?') ? '&' : '?'}limit=1&cursor=${encodeURIComponent(cursor)}`;
    expect((await ask(route, stolen)).status).toBe(400);
  });
});

describe('an auditor of one partner', () => {
  it.each(
    routesFor('auditor')
      .filter(ofAllPartners)
      .map((route) => [route.name, route] as const),
  )('is refused by %s, whatever is asked for: it is about all partners', async (_, route) => {
    for (const id of [theirs.partner.uid, nobodys, 'x']) {
      expect(await ask(route, filled(route, id))).toMatchObject({ status: 403, body: { message: 'Forbidden' } });
    }
    expect(await database.query('select 1 from verification_run')).toEqual([]);
  });

  it('is shown no cursor and no partner but its own, whoever’s cursor it brings', async () => {
    const { token } = await new OperatorApi(service.url).post('/auditors', { name: 'Everything' });
    const read = (path: string, as: string) => call(service.url, 'GET', path, { token: as });
    const first = await read('/audit/partners?limit=1', token);
    const { nextCursor } = first.body.data;
    expect(nextCursor).toEqual(expect.any(String));
    expect((await read(`/audit/partners?limit=1&cursor=${nextCursor}`, token)).status).toBe(200);
    const brought = await read(`/audit/partners?limit=1&cursor=${nextCursor}`, ours.auditor.token);
    expect(JSON.stringify(brought.body)).not.toContain(theirs.partner.uid);
    const own = (await read('/audit/partners', ours.auditor.token)).body.data;
    expect(own).toMatchObject({ items: [{ uid: ours.partner.uid }], nextCursor: null });
    expect(own.items).toHaveLength(1);
  });

  it('exports no line about another, and reads no word of it in any answer', async () => {
    const limited = await signIn(service.url, ours.auditor.token);
    const newestCase = async ({ session }: Stocked) =>
      (await session.get('/med?limit=1')).body.data.items[0].id as string;
    const [ourCase, theirCase] = [await newestCase(ours), await newestCase(theirs)];
    const named = { order: theirs.orderId, rail: theirs.endToEndId, case: theirCase };
    const hidden = Object.entries({ ...identifiersOf(theirs), ...named });
    const reads = routesFor('auditor').filter((route) => route.method === 'get' && !ofAllPartners(route));
    let answered = 0;
    for (const route of reads) {
      const path = route.path
        .replace('{uid}', route.path.includes('/partners/') ? ours.partner.uid : ours.partner.accounts[0]!)
        .replace('{id}', route.path.includes('/med/') ? ourCase : ours.paidCashIn)
        .replace('{partition}', '1');
      const required = parametersOf(route, 'query').filter((one) => one.required);
      const query = required.map(({ name }) => `${name}=${name === 'partition' ? 1 : 3}`).join('&');
      // A session reads exactly what the credential does that it was exchanged for.
      for (const answer of [await ask(route, `${path}?${query}`), await limited.request('GET', `${path}?${query}`)]) {
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
        expect({ route: route.name, found: hidden.filter(([, id]) => text.includes(id)) }).toEqual({
          route: route.name,
          found: [],
        });
        if (answer.status === 200) answered += 1;
      }
    }
    expect(answered).toBeGreaterThan(2 * (reads.length - 3));
  });

  it('gets no proof of an event of another’s, nor learns that it exists', async () => {
    const positions = async (uid: string) =>
      (
        await database.query<{ position: string }>(
          'select position from event where partition = 1 and data::text like $1',
          [`%${uid}%`],
        )
      ).map(({ position }) => Number(position));
    const inclusion = routesFor('auditor').find(({ path }) => path.endsWith('/inclusion'))!;
    const proof = (position: number) => ask(inclusion, `${inclusion.path}?partition=1&position=${position}`);
    const beyond = anonymous(await proof(999_999), '999999');
    expect(JSON.parse(beyond).status).toBe(404);
    const hidden = await positions(theirs.partner.accounts[0]!);
    expect(hidden.length).toBeGreaterThan(3);
    for (const position of hidden) expect(anonymous(await proof(position), String(position))).toBe(beyond);
    const [first] = await positions(ours.partner.accounts[0]!);
    expect((await proof(first!)).status).toBe(200);
  });
});

// Last: it writes their identifiers into ours.
describe("an identifier of another partner's", () => {
  it('in any text of a body is a text like any other', async () => {
    const places = {
      '/accounts/pix/cashin': [
        'transaction.orderId',
        'transaction.orderDescription',
        'payment.payer.name',
        'webhook.customHeaderValue',
      ],
      '/accounts/pix/cashout': [
        'transaction.orderId',
        'transaction.orderDescription',
        'payment.recipient.name',
        'payment.key.value',
      ],
    };
    const bodies = {
      '/accounts/pix/cashin': cashInBody.account('1.00'),
      '/accounts/pix/cashout': withMember(cashOutBody.key('1.00'), 'payment.key.type', 'EVP'),
    };
    for (const path of Object.keys(places) as (keyof typeof places)[]) {
      for (const place of places[path]) {
        const evp = withMember(bodies[path] as object, 'payment.key.value', path.endsWith('out') ? nobodys : undefined);
        const body = path.endsWith('out') ? evp : bodies[path];
        const [theirsIn, nobodysIn] = await Promise.all(
          [foreign.account!, nobodys].map((id) => ours.session.post(path, withMember(body, place, id))),
        );
        expect({ path, place, status: theirsIn!.status }).toEqual({ path, place, status: nobodysIn!.status });
        expect(theirsIn!.status).toBe(201);
      }
    }
  });
});
