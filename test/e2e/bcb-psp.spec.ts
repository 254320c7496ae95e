import { request as httpsRequest } from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { type BcbWorld, bcbWorld } from '../support/bcb-world.js';
import { testAuthority } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';
import { Markers } from '../support/markers.js';
import { sample } from '../support/metrics.js';
import { CLIENT, NOTIFICATIONS_TOKEN as TOKEN } from '../support/model-psp.js';
import { type Service, startService } from '../support/service.js';

/** How a PSP of the API Pix is reached: what it says of something else, fails, is late with, or is asked too much. */

let world: BcbWorld;
let { authority, psp, database, service, api, settings, body, ask, cashIn, transaction, reaches, notify } =
  {} as BcbWorld;

beforeAll(async () => {
  world = await bcbWorld();
  ({ authority, psp, database, service, api, settings, body, ask, cashIn, transaction, reaches, notify } = world);
}, 60_000);

afterEach(() => world.reset());
afterAll(() => world.stop());

/** Charges that were asked for, by the outcome of the call. */
async function counted(outcome: string): Promise<number> {
  const scrape = (await call(service.url, 'GET', '/metrics')).body;
  const [calls = 0] = sample(scrape, 'pix_rail_calls_total', { operation: 'createCharge', outcome });
  return calls;
}
describe("a PSP that gives somebody else's answer", () => {
  it('to a charge hands its code to no payer', async () => {
    const other = await cashIn('6.10');
    psp.answersInstead(/^PUT \/cob/, () => psp.books.cobs.get(other.txid));
    expect((await ask('6.10')).status).toBe(503);
    psp.answersInstead(/^PUT \/cob/, (cob) => ({ ...cob, valor: { original: '0.01' } }));
    expect((await ask('6.20')).status).toBe(503);
  });

  it('to a charge that is to be closed does not end it', async () => {
    const [open, closed] = [await cashIn('6.30'), await cashIn('6.40')];
    await api.post(`/accounts/pix/cashin/${closed.id}/cancel`);
    psp.answersInstead(/^(PATCH|GET) \/cob/, () => psp.books.cobs.get(closed.txid));
    expect((await api.post(`/accounts/pix/cashin/${open.id}/cancel`)).status).toBe(503);
    expect((await transaction(open.id)).state).toBe('Registered');
  });

  it('to a charge that is to be closed, by the payment of another, credits it here no more than there', async () => {
    const [open, paid] = [await cashIn('6.60'), await cashIn('6.60')];
    const pix = psp.books.pay(paid.txid);
    psp.answersInstead(/^(PATCH|GET) \/cob/, () => ({ ...psp.books.cobs.get(open.txid)!, pix: [pix] }));
    expect((await api.post(`/accounts/pix/cashin/${open.id}/cancel`)).status).toBe(503);
    psp.answersInstead();
    expect((await transaction(open.id)).state).toBe('Registered');
    await notify(pix);
    expect((await transaction(paid.id)).state).toBe('Completed');
  });

  it("to a charge that is to be closed, by a payment that it lists as no charge's, credits it to none", async () => {
    const open = await cashIn('6.70');
    const pix = psp.books.pay(null, { valor: '6.70' });
    psp.answersInstead(/^(PATCH|GET) \/cob/, () => ({ ...psp.books.cobs.get(open.txid)!, pix: [pix] }));
    expect((await api.post(`/accounts/pix/cashin/${open.id}/cancel`)).status).toBe(503);
    expect((await transaction(open.id)).state).toBe('Registered');
  });

  it('to a refund does not end it', async () => {
    const { id, txid } = await cashIn('6.50');
    await notify(psp.books.pay(txid));
    await reaches(id, 'Completed');
    const refund = async (amount: string) =>
      (await api.post(`/accounts/pix/cashin/${id}/refunds`, { amount })).body.data.transaction.id as string;
    const first = await refund('1.00');
    const { endToEndId } = await reaches(first, 'Completed');
    psp.answersInstead(/devolucao/, () => psp.books.devolucao(endToEndId));
    const second = await refund('2.00');
    await eventually(() => psp.asked(/^GET .*devolucao/).some(({ path }) => !path.endsWith(endToEndId)));
    expect((await transaction(second)).state).toBe('Registered');
    psp.answersInstead();
    await reaches(second, 'Completed');
  });
});

describe('a PSP that says later of a payment that it paid another charge', () => {
  /** A charge that is closed with the payment of one that was credited before. */
  async function namedTwice(original: string, terms = {}) {
    const paid = await cashIn(original);
    const pix = psp.books.pay(paid.txid);
    await notify(pix);
    await reaches(paid.id, 'Completed');
    const open = await cashIn(original, terms);
    psp.books.pix.set(pix.endToEndId, { ...pix, txid: open.txid });
    psp.books.cobs.get(open.txid)!.status = 'CONCLUIDA';
    return open;
  }

  it('has it credited once: the other one expires', async () => {
    const { id } = await namedTwice('7.10', { expiresIn: 1 });
    expect(await reaches(id, 'Cancelled')).toMatchObject({ errorReason: 'Expired' });
  });

  it('is not asked again and again which one came before a payment that does not fit', async () => {
    const { id, txid } = await namedTwice('7.20');
    const asked = new RegExp(`^PATCH /cob/${txid}$`);
    expect(await notify(psp.books.pay(txid, { valor: '7.21' }))).toBe(200);
    expect(await transaction(id)).toMatchObject({ state: 'Error', errorReason: 'AmountMismatch' });
    expect(psp.asked(asked)).toHaveLength(1);
  });
});

describe('a PSP that fails', () => {
  it.each([
    ['says 503', { status: 503 }],
    ['asks for patience', { status: 429, retryAfter: 1 }],
    ['breaks the connection after the work', 'answer lost'],
  ] as const)('is asked again when it %s', async (_, fault) => {
    psp.failNext(/^PUT \/cob/, fault);
    const { txid, qrCode } = await cashIn('6.00');
    expect(qrCode).toBe(psp.books.cobs.get(txid)!.pixCopiaECola);
  });

  it('is believed about a charge that it has already, where it takes none twice', async () => {
    psp.books.refusesRepetition = true;
    psp.failNext(/^PUT \/cob/, 'answer lost');
    const { txid, qrCode } = await cashIn('6.00');
    expect(qrCode).toBe(psp.books.cobs.get(txid)!.pixCopiaECola);
    expect(psp.books.cobs.get(txid)!.revisao).toBe(0);
  });

  it('or refuses a charge for good is another error, and does not count as away', async () => {
    const away = async () => (await counted('Unavailable')) + (await counted('Failed'));
    const before = await away();
    psp.failNext(/^PUT \/cob/, { status: 400 });
    expect(await ask('6.00')).toMatchObject({
      status: 422,
      body: { error: { details: { reason: 'ChargeRefusedByRail', code: 'Falha' } } },
    });
    expect([await counted('Refused'), await away()]).toEqual([1, before]);
  });

  it('or stands behind a proxy that finds nothing has refused no charge', async () => {
    psp.failNext(/^PUT \/cob/, { status: 404, bare: true });
    expect((await ask('6.00')).status).toBe(503);
  });

  it('or takes a token back gets a new one', async () => {
    const before = psp.tokensGiven;
    psp.revokeTokens();
    await cashIn('6.00');
    expect(psp.tokensGiven).toBe(before + 1);
    await cashIn('6.00');
    expect(psp.tokensGiven).toBe(before + 1);
  });

  it('or asks for patience instead of giving a token is not asked for one before that', async () => {
    psp.failNext(/oauth/, { status: 429, retryAfter: 2 });
    psp.revokeTokens();
    const asked = psp.asked(/oauth/).length;
    const began = performance.now();
    await cashIn('6.60');
    expect(performance.now() - began).toBeGreaterThan(2_000);
    expect(psp.asked(/oauth/).length).toBe(asked + 2);
  });

  it('or gives a token that no request can carry is asked for another at the next request', async () => {
    psp.answersInstead(/oauth/, (own) => ({ ...own, access_token: `${own.access_token}\r\nx`, expires_in: 1e300 }));
    psp.revokeTokens();
    expect((await ask('6.70')).status).toBe(503);
    psp.answersInstead();
    expect((await ask('6.70')).status).toBe(201);
  });

  it('or gives tokens of two seconds is asked for the next before one has ended', async () => {
    psp.tokenLife = 2;
    psp.revokeTokens();
    try {
      await cashIn('1.00');
      const refused = psp.asked(/./).filter(({ status }) => status === 401).length;
      const before = psp.tokensGiven;
      await eventually(async () => (await ask('1.00')).status === 201 && psp.tokensGiven > before);
      expect(psp.asked(/./).filter(({ status }) => status === 401).length).toBe(refused);
    } finally {
      psp.tokenLife = 3_600;
    }
  });
});

/** Only here is a PSP that thinks for long given up soon: what a busy machine delays, other services wait for. */
describe('a PSP that does not answer', () => {
  let impatient: Service;
  beforeAll(async () => {
    impatient = await startService(database.url, { ...settings(authority), BCB_TIMEOUT_MS: '400', ROLE: 'api' });
  }, 60_000);
  afterAll(() => impatient.stop());

  const charges = () => psp.asked(/^PUT \/cob/);
  const askThere = () =>
    api.on(impatient.url).post('/accounts/pix/cashin', body('6.00'), { 'idempotency-key': 'no-answer-at-first' });

  it('in time is asked again', async () => {
    psp.failNext(/^PUT \/cob/, 'hang');
    const before = charges().length;
    const first = await askThere();
    const tries = charges().slice(before);
    expect(tries.length).toBeGreaterThan(1);
    expect(new Set(tries.map(({ path }) => path)).size).toBe(1);
    // What it was asked again may have been late on a busy machine, too: then the partner asks.
    const { data } = await eventually(async () => {
      const answer = first.status === 201 ? first : await askThere();
      return answer.status === 201 && answer.body;
    });
    expect(data.payment.qrCode).toBe(psp.books.cobs.get(txidOf(data.transaction.id))!.pixCopiaECola);
  });

  it('for long is an error to the partner, and nothing is done', async () => {
    const made = psp.books.cobs.size;
    psp.failNext(/^PUT \/cob/, { status: 503 }, 'hang', { status: 500 });
    const answer = await api.on(impatient.url).post('/accounts/pix/cashin', body('6.00'));
    expect(answer).toMatchObject({ status: 503, body: { error: { name: 'ServiceUnavailable' } } });
    expect(psp.books.cobs.size).toBe(made);
  });
});

describe('many deposits', () => {
  it("of one partner, however many, leave the PSP to another's and to refunds", async () => {
    const other = await new OperatorApi(service.url).partner(['0.00']);
    const others = await PartnerApi.login(service.url, other.credentials);
    const { id, txid } = await cashIn('3.00');
    await notify(psp.books.pay(txid));
    const atPsp = new Set<string>();
    let goOn = () => undefined as void;
    const gate = new Promise<void>((resume) => (goOn = resume));
    psp.beforeAnswer = async (method, path) => {
      if (method !== 'PUT' || !path.startsWith('/cob/')) return;
      atPsp.add(path);
      await gate;
    };
    const many = Promise.all(Array.from({ length: 80 }, () => ask('3.00')));
    await eventually(() => atPsp.size >= 8);
    const another = others.post('/accounts/pix/cashin', body('4.00'));
    await eventually(() => atPsp.size > 8);
    const { transaction: refund } = (await api.post(`/accounts/pix/cashin/${id}/refunds`, {})).body.data;
    await reaches(refund.id, 'Completed');
    expect(atPsp.size).toBe(9);
    goOn();
    expect(await another).toMatchObject({ status: 201 });
    const answers = await many;
    // On a busy machine some have waited for too long.
    expect(new Set(answers.map(({ status }) => status).filter((status) => status !== 503))).toEqual(new Set([201]));
  });

  it('that the ledger refuses are no calls of the PSP', async () => {
    const operator = new OperatorApi(service.url);
    const { uid, accounts, credentials } = await operator.partner(['0.00']);
    const theirs = await PartnerApi.login(service.url, credentials);
    const reasonFor = async (original: string) =>
      (await theirs.post('/accounts/pix/cashin', body(original))).body.error?.details.reason;
    await operator.patch(`/partners/${uid}/settings`, { cashInMaximum: '5.00', uniqueOrderIds: true });
    expect(await reasonFor('5.00')).toBeUndefined();
    const before = psp.asked(/^PUT \/cob/).length;
    expect(await reasonFor('5.01')).toBe('AmountAboveMaximum');
    expect(await reasonFor('5.00')).toBe('OrderIdAlreadyUsed');
    await operator.post(`/accounts/${accounts[0]}/deactivate`, { reason: 'Teste' });
    expect(await reasonFor('5.00')).toBe('CustomerAccountIsNotActive');
    expect(psp.asked(/^PUT \/cob/)).toHaveLength(before);
  });
});

describe('what the PSP says in its own words, which repeat what it was sent', () => {
  it('is in no log: not when it refuses a token, the address of notifications, or a charge', async () => {
    const tries = Array<{ status: number }>(8).fill({ status: 400 });
    psp.failNext(/^POST \/oauth\/token/, ...tries);
    const other = await startService(database.url, settings(authority));
    try {
      await eventually(() => other.output().includes('the PSP gave no access token: 400'));
      psp.forgetFaults();
      psp.failNext(/^GET \/webhook/, { status: 404 });
      psp.failNext(/^PUT \/webhook/, { status: 400 });
      await eventually(() => /"400 Falha.*did not accept the webhook address/.test(other.output()));
      psp.failNext(/^PUT \/cob/, { status: 400 });
      const present = 'Presente para Ana Clara';
      const answer = await api.on(other.url).post('/accounts/pix/cashin', body('1.00', { orderDescription: present }));
      expect(answer).toMatchObject({ status: 422, body: { error: { details: { reason: 'ChargeRefusedByRail' } } } });
      const secrets = new Markers();
      secrets.add('client secret', CLIENT.secret);
      secrets.add('address of notifications', TOKEN);
      secrets.add('description', present);
      psp.tokens.forEach((token, i) => secrets.add(`access token ${i}`, token));
      expect(secrets.size).toBeGreaterThan(3);
      expect(secrets.in(other.output())).toEqual([]);
    } finally {
      psp.forgetFaults();
      await other.stop();
    }
  }, 30_000);
});

describe('mutual TLS', () => {
  it('has a metric of the time for which the certificate is still valid', async () => {
    const [left] = sample((await call(service.url, 'GET', '/metrics')).body, 'pix_rail_certificate_left_seconds');
    // The test's authority issues for a day.
    expect(left).toBeGreaterThan(80_000);
    expect(left).toBeLessThanOrEqual(86_400);
  });

  it('the PSP lets nobody in without a certificate', async () => {
    const failure = await new Promise((resolve) => {
      const request = httpsRequest(psp.tokenUrl, { method: 'POST', ca: authority.cert }, resolve);
      request.on('error', resolve);
      request.end();
    });
    expect(failure).toMatchObject({ code: expect.stringMatching(/CERTIFICATE_REQUIRED|ECONNRESET/) });
  });

  it('with a certificate of somebody else nothing reaches the PSP, and the partner is told', async () => {
    const other = await startService(database.url, { ...settings(testAuthority('another authority')), ROLE: 'api' });
    try {
      const asked = psp.asked(/^PUT \/cob/).length;
      const answer = await api.on(other.url).post('/accounts/pix/cashin', body('6.00'));
      expect(answer).toMatchObject({ status: 503, body: { error: { name: 'ServiceUnavailable' } } });
      expect(psp.asked(/^PUT \/cob/)).toHaveLength(asked);
      await eventually(() => other.output().includes('the call of the PSP failed'));
    } finally {
      await other.stop();
    }
  });
});
