import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { forgetSubjects } from '../support/forget.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { timerRuns } from '../support/timers.js';

let edge: PixEdge;
let operator: OperatorApi;
let uid: string;

beforeAll(async () => {
  edge = await PixEdge.start();
  operator = new OperatorApi(edge.service.url);
  uid = edge.partner.accounts[0]!;
}, 60_000);

afterAll(async () => {
  await assertLedgerSound(edge.database);
  await edge.stop();
});

const unmatched = async () =>
  Number(/^med_unmatched_reports_total (\d+)$/m.exec((await edge.get('/metrics')).body as string)?.[1]);
const refused = (answer: { status: number; body: any }) => [answer.status, answer.body.error.details.reason];
const balance = () => edge.api.balance(uid);
const credit = (amount: string) => operator.post(`/accounts/${uid}/credits`, { amount, reason: 'Teste' });
const caseOf = async (id: string) => (await edge.api.get(`/med/${id}`)).body.data;
const decide = (id: string, body: object, key?: string) =>
  call(edge.service.url, 'POST', `/admin/med/${id}/decision`, {
    token: ADMIN_TOKEN,
    body,
    ...(key && { headers: { 'idempotency-key': key } }),
  });
const reaches = (id: string, status: string) =>
  eventually(async () => {
    const known = await caseOf(id);
    return known.status === status && known;
  });

/** A deposit that is paid. */
async function deposit(amount: string): Promise<{ id: string; endToEndId: string }> {
  const { id, qrCode } = await edge.cashIn(amount);
  await edge.pay(qrCode);
  const { endToEndId } = await edge.reaches(id, 'Completed');
  return { id, endToEndId };
}

/** Everything but an amount is paid out. */
async function leave(amount: string): Promise<void> {
  const { available } = await balance();
  const rest = (Number(available) - Number(amount)).toFixed(2);
  if (Number(rest) > 0) expect((await edge.api.transfer(edge.partner.accounts[1]!, rest)).status).toBe(201);
}

const report = async (endToEndId: string, more: object = {}) => {
  const told = await edge.sandbox('POST', '/infractions', { endToEndId, reason: 'Scam', details: 'Golpe', ...more });
  expect(told.status).toBe(201);
  return told.body.data as { id: string; status: string };
};

/** The newest case of the account. */
const newest = () =>
  eventually(async () => {
    const { items } = (await edge.api.get('/med?limit=1')).body.data;
    return items[0];
  });

const returnsOf = async (endToEndId: string) => {
  const rows = await edge.database.query<{ amount: string; status: string }>(
    `select amount, status from sandbox.refund_out where end_to_end_id = $1 order by at`,
    [endToEndId],
  );
  return rows.map(({ amount, status }) => [Number(amount), status]);
};

describe('a report of an infraction', () => {
  it('blocks what is there, is defended, agreed with, and goes back in parts as money comes in', async () => {
    const paid = await deposit('100.00');
    await leave('30.00');
    const reported = await report(paid.endToEndId);
    const opened = await newest();
    expect(opened).toMatchObject({
      transactionId: paid.id,
      endToEndId: paid.endToEndId,
      reason: 'Scam',
      details: 'Golpe',
      amount: '100.00',
      blocked: '30.00',
      status: 'Open',
      agreed: null,
      returned: '0.00',
      defence: null,
    });
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '30.00' });
    const holds = (await edge.api.get(`/accounts/${uid}/holds`)).body.data.items;
    expect(holds[0]).toMatchObject({ id: opened.holdId, cause: 'Med', reference: opened.id, amount: '100.00' });

    const defence = { text: 'Entregue', links: ['https://loja.example/recibo'] };
    const said = await edge.api.post(`/med/${opened.id}/defence`, defence);
    expect(said).toMatchObject({ status: 200, body: { data: { status: 'Defended', defence } } });
    expect(refused(await edge.api.post(`/med/${opened.id}/defence`, defence))).toEqual([422, 'DefenceNotPossible']);

    const agreed = await decide(opened.id, { decision: 'Agreed', note: 'Sem recibo' }, 'decide');
    expect(agreed).toMatchObject({
      status: 200,
      body: { data: { status: 'Agreed', agreed: '100.00', note: 'Sem recibo' } },
    });
    expect(
      (await decide(opened.id, { decision: 'Agreed', note: 'Sem recibo' }, 'decide')).headers.get(
        'idempotent-replayed',
      ),
    ).toBe('true');
    expect(refused(await decide(opened.id, { decision: 'Rejected' }))).toEqual([422, 'InfractionIsDecided']);
    await eventually(async () => (await caseOf(opened.id)).returned === '30.00');
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '0.00' });
    await eventually(
      async () => (await edge.sandbox('GET', `/infractions/${reported.id}`)).body.data.status === 'Agreed',
    );

    await credit('20.00');
    await eventually(async () => (await caseOf(opened.id)).returned === '50.00');
    // An ordinary refund and the MED together give back no more than came in.
    await operator.post(`/accounts/${edge.partner.accounts[1]}/credits`, { amount: '1.00', reason: 'Teste' });
    expect(refused(await edge.api.post(`/accounts/pix/cashin/${paid.id}/refunds`, { amount: '50.01' }))).toEqual([
      422,
      'RefundExceedsOriginal',
    ]);
    await credit('80.00');
    expect(await reaches(opened.id, 'Closed')).toMatchObject({
      returned: '100.00',
      pending: '0.00',
      ending: 'Returned',
    });
    expect(await balance()).toEqual({ available: '30.00', held: '0.00', blocked: '0.00' });
    expect(await returnsOf(paid.endToEndId)).toEqual([
      [3_000, 'Settled'],
      [2_000, 'Settled'],
      [5_000, 'Settled'],
    ]);
    const { story } = await operator.get(`/med/${opened.id}`);
    const told = story.filter(({ type }: any) => type !== 'InfractionAnswered');
    expect(told.map(({ type, by, amount }: any) => [type, by.split(':')[0], amount])).toEqual([
      ['InfractionReported', 'rail', '100.00'],
      ['InfractionDefended', 'access-key', null],
      ['InfractionAgreed', 'operator', '100.00'],
      ...['30.00', '20.00', '50.00'].flatMap((amount) => [
        ['MedReturnRegistered', 'timer', amount],
        ['MedReturnCompleted', 'rail', amount],
      ]),
      ['InfractionClosed', 'timer', null],
    ]);
    const refunds = (await edge.api.get('/accounts/transactions?type=Refund')).body.data.items;
    expect(
      refunds.map(({ transaction }: any) => [transaction.amount, transaction.state, transaction.refundOf]),
    ).toEqual([
      ['50.00', 'Completed', paid.id],
      ['20.00', 'Completed', paid.id],
      ['30.00', 'Completed', paid.id],
    ]);
  });

  it('that is rejected releases what was blocked', async () => {
    const paid = await deposit('12.00');
    const told = await report(paid.endToEndId, { amount: '5.00' });
    const { id } = await newest();
    const before = await balance();
    expect(before).toMatchObject({ blocked: '5.00' });
    const slip = await decide(id, { decision: 'Rejected', amount: '1.00' });
    expect([slip.status, slip.body.error.details[0].path]).toEqual([400, 'amount']);
    expect(await balance()).toEqual(before);
    expect((await decide(id, { decision: 'Rejected' })).body.data).toMatchObject({ status: 'Rejected' });
    expect(await balance()).toMatchObject({ blocked: '0.00', available: (Number(before.available) + 5).toFixed(2) });
    await eventually(
      async () => (await edge.sandbox('GET', `/infractions/${told.id}`)).body.data.status === 'Rejected',
    );
    expect(await returnsOf(paid.endToEndId)).toEqual([]);
  });
});

describe('the hold of a case', () => {
  const hold = (id: string, does: string, body: object) =>
    call(edge.service.url, 'POST', `/admin/accounts/${uid}/holds/${id}/${does}`, { token: ADMIN_TOKEN, body });
  const part = { amount: '40.00', destination: { kind: 'MedReturn', reference: 'D1' } };

  it('is released and executed by its case alone, until that has ended', async () => {
    const paid = await deposit('100.00');
    await leave('40.00');
    await report(paid.endToEndId);
    const { id, holdId } = await newest();
    const stays = async () => {
      for (const [does, body] of [
        ['release', {}],
        ['release', { amount: '1.00' }],
        ['execute', part],
      ] as const) {
        const { status, body: answer } = await hold(holdId, does, body);
        expect([does, status, answer.error.details]).toEqual([
          does,
          422,
          { reason: 'HoldIsOfCase', message: expect.any(String), case: id },
        ]);
      }
      expect(await balance()).toMatchObject({ available: '0.00', blocked: '40.00' });
    };
    await stays();
    expect(refused(await hold(holdId, 'release?dryRun=true', {}))).toEqual([422, 'HoldIsOfCase']);
    await edge.api.post(`/med/${id}/defence`, { text: 'Entregue' });
    await stays();
    // It waits for the rest, so it is open with nothing blocked.
    await decide(id, { decision: 'Agreed' });
    await eventually(async () => (await caseOf(id)).returned === '40.00');
    expect(refused(await hold(holdId, 'release', {}))).toEqual([422, 'HoldIsOfCase']);
    await credit('60.00');
    expect(await reaches(id, 'Closed')).toMatchObject({ ending: 'Returned', returned: '100.00' });
    expect(refused(await hold(holdId, 'release', {}))).toEqual([422, 'HoldIsClosed']);
  });

  it('is not that of an order for the MED, which has no case', async () => {
    await credit('50.00');
    const order = { amount: '50.00', cause: 'Med', reference: 'R-1' };
    const placed = await operator.post(`/accounts/${uid}/holds`, order);
    expect((await hold(placed.id, 'execute', part)).body.data).toMatchObject({ amount: '40.00', status: 'Open' });
    expect((await hold(placed.id, 'release', {})).body.data).toMatchObject({ amount: '10.00', status: 'Closed' });
  });
});

describe('what the rail tells', () => {
  it('several times is one case, and when it takes a report back the money is available again', async () => {
    await edge.behave({ copies: 5 });
    const paid = await deposit('8.00');
    const told = await report(paid.endToEndId);
    await edge.behave({ copies: 1 });
    const cases = (await edge.api.get('/med')).body.data.items.filter((one: any) => one.endToEndId === paid.endToEndId);
    expect(cases).toHaveLength(1);
    expect(await balance()).toMatchObject({ blocked: '8.00' });
    await edge.sandbox('POST', `/infractions/${told.id}/cancel`);
    expect(await reaches(cases[0].id, 'Cancelled')).toMatchObject({ returned: '0.00' });
    expect(await balance()).toMatchObject({ blocked: '0.00' });
  });

  it('in a notification that is lost is found by the sweep', async () => {
    await edge.behave({ notifications: 'drop' });
    const { id, qrCode } = await edge.cashIn('9.00');
    await edge.pay(qrCode);
    await timerRuns(edge.database, 'pix-sweep');
    const { endToEndId } = await edge.reaches(id, 'Completed');
    await report(endToEndId);
    expect((await edge.api.get('/med?limit=1')).body.data.items[0].endToEndId).not.toBe(endToEndId);
    await timerRuns(edge.database, 'med-sweep');
    await eventually(async () => (await edge.api.get('/med?limit=1')).body.data.items[0].endToEndId === endToEndId);
    await edge.behave({ notifications: 'deliver' });
    expect((await decide((await newest()).id, { decision: 'Rejected' })).status).toBe(200);
  });

  it('before the deposit is recorded opens a case once it is', async () => {
    await edge.behave({ notifications: 'drop' });
    const { id, qrCode } = await edge.cashIn('7.00');
    const { endToEndId } = (await edge.pay(qrCode)).body.data;
    await report(endToEndId);
    const before = await unmatched();
    await timerRuns(edge.database, 'med-sweep');
    await timerRuns(edge.database, 'med-sweep');
    expect(await unmatched()).toBe(before + 1);
    await timerRuns(edge.database, 'pix-sweep');
    await edge.reaches(id, 'Completed');
    await timerRuns(edge.database, 'med-sweep');
    await edge.behave({ notifications: 'deliver' });
    expect(await newest()).toMatchObject({ endToEndId, status: 'Open', blocked: '7.00' });
    expect((await decide((await newest()).id, { decision: 'Rejected' })).status).toBe(200);
  });

  it('of a report with the payment of another leaves its case as it is', async () => {
    const [paid, another] = [await deposit('4.00'), await deposit('5.00')];
    const { id: railId } = await report(paid.endToEndId);
    const opened = await eventually(async () => {
      const known = await newest();
      return known.transactionId === paid.id && known;
    });
    const told = (endToEndId: string, status: string) =>
      edge.database.query(
        `update sandbox.infraction set end_to_end_id = $2, status = $3, changed_at = now() where id = $1`,
        [railId, endToEndId, status],
      );
    await told(another.endToEndId, 'Cancelled');
    await timerRuns(edge.database, 'med-sweep');
    expect(edge.service.output()).toContain('the rail gives a report another payment; its case stays');
    expect((await edge.api.get(`/med/${opened.id}`)).body.data).toMatchObject({ status: 'Open', blocked: '4.00' });
    await told(paid.endToEndId, 'Cancelled');
    await timerRuns(edge.database, 'med-sweep');
    await reaches(opened.id, 'Cancelled');
  }, 60_000);

  it('is looked at daily by the next sweep where an earlier version has it looked at by its deadlines only', async () => {
    const paid = await deposit('3.00');
    const { id: railId } = await report(paid.endToEndId);
    const opened = await eventually(async () => {
      const known = await newest();
      return known.transactionId === paid.id && known;
    });
    // As the processes of before write it, beside those of this version in an upgrade.
    await eventually(async () => {
      const written = await edge.database.query(
        `update work set due_at = i.return_until from infraction i
         where work.id = $1 and work.lease is null and i.id = work.id returning work.id`,
        [opened.id],
      );
      return written.length === 1;
    });
    await timerRuns(edge.database, 'med-sweep');
    const rows = await edge.database.query(
      `select due_at <= now() + interval '1 day 1 minute' as daily from work where id = $1`,
      [opened.id],
    );
    expect(rows).toEqual([{ daily: true }]);
    await edge.sandbox('POST', `/infractions/${railId}/cancel`, {});
    await reaches(opened.id, 'Cancelled');
  }, 60_000);

  it('of an unknown payment, or in a bad report, is refused by the sandbox', async () => {
    const unknown = await edge.sandbox('POST', '/infractions', { endToEndId: 'E1', reason: 'Scam' });
    expect(unknown.status).toBe(404);
    const bad = await edge.sandbox('POST', '/infractions', { reason: 'Whim', amount: '-1.00' });
    expect([bad.status, bad.body.error.details.map(({ path }: any) => path).sort()]).toEqual([
      400,
      ['amount', 'endToEndId', 'reason'],
    ]);
  });
});

describe('a refund that is pending when the deposit is reported', () => {
  let paid: { id: string; endToEndId: string };
  let refund: string;

  /** Of all of a deposit of 100.00; the rail has it. */
  async function refunded(): Promise<string> {
    const asked = await edge.api.post(`/accounts/pix/cashin/${paid.id}/refunds`);
    expect(asked.status).toBe(201);
    await eventually(async () => (await returnsOf(paid.endToEndId)).length === 1);
    return asked.body.data.transaction.id;
  }
  const ends = async (force: 'complete' | 'fail', state: string) => {
    expect((await edge.force(refund, force)).status).toBe(200);
    await edge.reaches(refund, state);
  };
  const reported = async () => {
    await report(paid.endToEndId);
    return newest();
  };

  beforeEach(async () => {
    await edge.behave({ refunds: 'hold' });
    paid = await deposit('100.00');
    await leave('100.00');
  });
  afterEach(() => edge.behave({ refunds: 'settle' }));

  it('gives nothing back yet: when it fails, its money is blocked', async () => {
    refund = await refunded();
    const { id, ...opened } = await reported();
    expect(opened).toMatchObject({ status: 'Open', amount: '100.00', blocked: '0.00' });
    await ends('fail', 'Error');
    expect(await balance()).toMatchObject({ available: '0.00', held: '0.00', blocked: '100.00' });
    expect((await decide(id, { decision: 'Rejected' })).status).toBe(200);
  });

  it('leaves nothing when it completes: what was blocked meanwhile is available', async () => {
    refund = await refunded();
    const { id } = await reported();
    await credit('30.00');
    expect(await balance()).toMatchObject({ available: '0.00', held: '100.00', blocked: '30.00' });
    await ends('complete', 'Completed');
    expect(await reaches(id, 'Closed')).toMatchObject({ ending: 'NothingLeft', returned: '0.00' });
    expect(await balance()).toEqual({ available: '30.00', held: '0.00', blocked: '0.00' });
  });

  it('releases nothing of a case that was agreed with: when it fails, what is blocked goes back', async () => {
    const { id } = await reported();
    await credit('100.00');
    refund = await refunded();
    await decide(id, { decision: 'Agreed' });
    await eventually(async () => (await edge.database.query(`select from work where kind = 'med-wake'`)).length === 0);
    expect(await caseOf(id)).toMatchObject({ status: 'Agreed', blocked: '100.00', returned: '0.00' });
    await edge.behave({ refunds: 'settle' });
    await ends('fail', 'Error');
    expect(await reaches(id, 'Closed')).toMatchObject({ ending: 'Returned', returned: '100.00' });
    expect(await returnsOf(paid.endToEndId)).toEqual([
      [10_000, 'Rejected'],
      [10_000, 'Settled'],
    ]);
    expect(await balance()).toMatchObject({ available: '100.00', held: '0.00', blocked: '0.00' });
  });

  it('releases what is blocked of a case that was agreed with once it completes', async () => {
    const { id } = await reported();
    await credit('100.00');
    refund = await refunded();
    await decide(id, { decision: 'Agreed' });
    await ends('complete', 'Completed');
    expect(await reaches(id, 'Closed')).toMatchObject({ ending: 'NothingLeft', returned: '0.00' });
    expect(await returnsOf(paid.endToEndId)).toEqual([[10_000, 'Settled']]);
    expect(await balance()).toMatchObject({ available: '100.00', held: '0.00', blocked: '0.00' });
  });
});

describe('a return that the rail refuses', () => {
  it('is blocked again, and nothing else is tried for a while; the ordinary refund sees what is left', async () => {
    await edge.behave({ refunds: 'hold' });
    const paid = await deposit('6.00');
    await report(paid.endToEndId);
    const { id } = await newest();
    await decide(id, { decision: 'Agreed', amount: '4.00' });
    await eventually(async () => (await caseOf(id)).pending === '4.00');
    expect(await balance()).toMatchObject({ held: '4.00', blocked: '0.00' });
    const [{ transaction }] = (await edge.api.get('/accounts/transactions?type=Refund&state=Registered')).body.data
      .items;
    // The rail has it by then.
    await eventually(async () => (await returnsOf(paid.endToEndId)).length === 1);
    expect((await edge.force(transaction.id, 'fail')).status).toBe(200);
    await edge.behave({ refunds: 'settle' });
    await eventually(async () => (await caseOf(id)).pending === '0.00');
    expect(await caseOf(id)).toMatchObject({ status: 'Agreed', returned: '0.00' });
    expect(await balance()).toMatchObject({ held: '0.00', blocked: '4.00' });
    expect((await edge.transaction(transaction.id)).state).toBe('Error');
    expect(await returnsOf(paid.endToEndId)).toEqual([[400, 'Rejected']]);
  });
});

describe('a decision or a defence', () => {
  it('that is wrong is refused with every fault, and of a case of nobody is not found', async () => {
    const paid = await deposit('3.00');
    await report(paid.endToEndId);
    const { id } = await newest();
    const said = await edge.api.post(`/med/${id}/defence`, { text: '', links: ['http://loja.example'] });
    expect([said.status, said.body.error.details.map(({ path }: any) => path)]).toEqual([400, ['text', 'links']]);
    expect(refused(await decide(id, { decision: 'Agreed', amount: '3.01' }))).toEqual([400, 'ReturnExceedsReport']);
    expect((await decide(id, { decision: 'Maybe' })).status).toBe(400);
    expect((await decide(paid.id, { decision: 'Agreed' })).status).toBe(404);
    expect((await edge.api.post(`/med/${paid.id}/defence`, { text: 't' })).status).toBe(404);
    expect((await edge.api.get('/med/nothing')).status).toBe(404);
    const stranger = await operator.partner(['1.00']);
    const other = await PartnerApi.login(edge.service.url, stranger.credentials);
    expect((await other.get(`/med/${id}`)).status).toBe(404);
    expect((await other.get('/med')).body.data.items).toEqual([]);
    expect((await decide(id, { decision: 'Rejected' })).status).toBe(200);
  });
});

describe('a recovery of a payout', () => {
  const words = { reason: 'Scam', details: 'O fornecedor nunca existiu' };
  const ask = (id: string, body: object = words, key?: string) =>
    edge.api.post(
      `/accounts/pix/cashout/${id}/recovery`,
      body,
      key === undefined ? undefined : { 'idempotency-key': key },
    );
  const recovery = async (id: string) => (await edge.api.get(`/recoveries/${id}`)).body.data;
  const opened = (id: string) => eventually(async () => (await recovery(id)).status === 'Opened');

  it('brings money back as refunds of the payout, and asks the second time for what has not come', async () => {
    await credit('50.00');
    const payout = await edge.cashOut('20.00');
    await edge.reaches(payout, 'Completed');
    const first = await ask(payout, words, 'recover');
    expect(first).toMatchObject({
      status: 201,
      body: {
        statusCode: 'Incomplete',
        data: { transactionId: payout, status: 'Requested', amount: '20.00', ...words },
      },
    });
    expect((await ask(payout, words, 'recover')).headers.get('idempotent-replayed')).toBe('true');
    expect(refused(await ask(payout))).toEqual([422, 'RecoveryIsOpen']);
    const { id } = first.body.data;
    await opened(id);
    const before = await balance();
    await edge.sandbox('POST', `/recoveries/${id}/accept`, { amount: '15.00' });
    expect(await recovery(id)).toMatchObject({ status: 'Accepted', accepted: '15.00' });
    const refund = await eventually(async () => {
      const { items } = (await edge.api.get('/accounts/transactions?type=Refund&limit=1')).body.data;
      return items[0].transaction.refundOf === payout && items[0].transaction;
    });
    expect(refund).toMatchObject({ amount: '15.00', state: 'Completed' });
    expect(Number((await balance()).available)).toBeCloseTo(Number(before.available) + 15, 2);

    const second = await ask(payout);
    expect(second.body.data.amount).toBe('5.00');
    await opened(second.body.data.id);
    await edge.sandbox('POST', `/recoveries/${second.body.data.id}/refuse`);
    expect(await recovery(second.body.data.id)).toMatchObject({ status: 'Refused', refusalCode: 'Disagreed' });
    const listed = (await edge.api.get('/recoveries')).body.data.items;
    expect(listed.map((one: any) => one.id)).toEqual([second.body.data.id, id]);
  });

  it('that the payee agrees to is not accepted without its money: what fails in between is done again', async () => {
    await credit('10.00');
    const payout = await edge.cashOut('3.00');
    await edge.reaches(payout, 'Completed');
    const { id } = (await ask(payout)).body.data;
    await opened(id);
    await edge.database.query(
      `create function fail() returns trigger language plpgsql as 'begin raise ''no room''; end'`,
    );
    await edge.database.query(
      'create trigger fails before insert on sandbox.refund_in for each row execute function fail()',
    );
    expect((await edge.sandbox('POST', `/recoveries/${id}/accept`)).status).toBe(500);
    expect((await recovery(id)).status).toBe('Opened');
    await edge.database.query('drop function fail cascade');
    expect((await edge.sandbox('POST', `/recoveries/${id}/accept`)).status).toBe(200);
    await eventually(async () => {
      const { items } = (await edge.api.get('/accounts/transactions?type=Refund&limit=1')).body.data;
      return items[0].transaction.refundOf === payout;
    });
  });

  it('asked for under one key many times at once has one answer', async () => {
    await credit('10.00');
    for (let i = 0; i < 5; i++) {
      const payout = await edge.cashOut('2.00');
      await edge.reaches(payout, 'Completed');
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(payout, words, `at-once-${i}`)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    }
  });

  it('at the same moment is one', async () => {
    await credit('10.00');
    const payout = await edge.cashOut('7.00');
    await edge.reaches(payout, 'Completed');
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(payout)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422, 422, 422]);
  });

  it('of a payout that is not completed, or of none, is refused', async () => {
    await credit('10.00');
    const failed = await edge.cashOut('1.97');
    await edge.reaches(failed, 'Error');
    expect(refused(await ask(failed))).toEqual([422, 'NothingToRecover']);
    expect((await ask(uid)).status).toBe(404);
    const bad = await ask(failed, { reason: 'Whim' });
    expect([bad.status, bad.body.error.details.map(({ path }: any) => path)]).toEqual([400, ['reason', 'details']]);
  });
});

describe('cases for those who look after all accounts', () => {
  it('say what each blocks, and are counted, for operators and auditors; an auditor of one partner has its own', async () => {
    const paid = await deposit('9.00');
    await leave('4.00');
    const { count } = (await operator.get('/overview')).cases;
    await report(paid.endToEndId);
    const { id, ...shown } = await newest();
    expect(shown).toMatchObject({ amount: '9.00', blocked: '4.00' });
    expect((await operator.get('/overview')).cases).toEqual({ count: count + 1, overdue: 0, capped: false });
    const [auditors, ours, others] = [
      await operator.post('/auditors', { name: 'All' }),
      await operator.post('/auditors', { name: 'Ours', partnerUid: edge.partner.uid }),
      await operator.post('/auditors', { name: 'Others', partnerUid: (await operator.partner(['1.00'])).uid }),
    ];
    const { items } = await operator.get('/med');
    const story = await operator.get(`/med/${id}`);
    expect(items[0]).toMatchObject({ id, accountUid: uid, blocked: '4.00', overdue: false });
    const read = ({ token }: { token: string }, path: string) =>
      call(edge.service.url, 'GET', `/audit/med${path}`, { token });
    for (const auditor of [auditors, ours]) {
      expect((await read(auditor, '')).body.data.items).toEqual(items);
      expect((await read(auditor, '?status=Open&limit=1')).body.data.items).toEqual(items.slice(0, 1));
      expect((await read(auditor, `/${id}`)).body.data).toEqual(story);
    }
    expect((await read(others, '')).body.data.items).toEqual([]);
    expect((await read(others, `/${id}`)).status).toBe(404);
    const decision = { token: auditors.token, body: { decision: 'Agreed' } };
    expect((await call(edge.service.url, 'POST', `/audit/med/${id}/decision`, decision)).status).toBe(404);
    expect((await call(edge.service.url, 'POST', `/admin/med/${id}/decision`, decision)).status).toBe(401);
    await decide(id, { decision: 'Agreed' });
    await eventually(async () => (await caseOf(id)).returned === '4.00');
    expect(await caseOf(id)).toMatchObject({ status: 'Agreed', blocked: '0.00' });
    const after = await operator.get('/overview');
    expect(after.cases.count).toBe(count);
    // Its hold is open, and waits for five more: what went back is blocked no longer.
    const [all] = await edge.database.query<{ blocked: string }>('select sum(blocked) as blocked from account');
    expect(Number(after.holds.blocked) * 100).toBe(Number(all!.blocked));
    await credit('5.00');
    await reaches(id, 'Closed');
  });
});

describe('a person who is forgotten', () => {
  it('leaves a case that works, without words', async () => {
    const other = await operator.partner(['1.00']);
    const session = await PartnerApi.login(edge.service.url, other.credentials);
    const made = await session.post('/accounts/pix/cashin', {
      payment: { value: { original: '5.00' } },
      transaction: { orderId: 'o' },
      webhook: { url: 'http://127.0.0.1:65535/hook' },
    });
    const { transaction, payment } = made.body.data;
    await edge.pay(payment.qrCode);
    const { endToEndId } = (
      await eventually(async () => {
        const read = (await session.get(`/accounts/transactions/${transaction.id}`)).body.data;
        return read.transaction.state === 'Completed' && read;
      })
    ).transaction;
    await report(endToEndId);
    const [{ id }] = (await session.get('/med')).body.data.items;
    await forgetSubjects(edge.database, 'partition > 0', []);
    await eventually(async () => (await session.get(`/med/${id}`)).body.data.details === null);
    await decide(id, { decision: 'Agreed' });
    await eventually(async () => (await session.get(`/med/${id}`)).body.data.status === 'Closed');
    expect((await session.get(`/med/${id}`)).body.data).toMatchObject({ details: null, returned: '5.00' });
  });
});
