import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, REGISTRY_PARTITION } from '../../src/event-store/log/identifiers.js';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { signIn, type SignedIn } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-fixture.js';
import { PAYER, PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { tellEvents } from '../support/told-events.js';

interface Known {
  readonly id: string;
  readonly partner: string;
  readonly account_uid: string;
  readonly counterparty_uid: string | null;
  readonly type: string;
  readonly state: string;
  readonly amount: string;
  readonly order_id: string | null;
  readonly end_to_end_id: string | null;
  readonly refund_of: string | null;
  readonly state_dates: Record<string, string>;
  readonly position: string;
}

const PAYEE = '11144477735';

let edge: PixEdge;
let dataDir: string;
let other: TestPartner;
let operator: SignedIn;
let auditor: SignedIn;
let limited: SignedIn;
let limitedToken: string;
/** Every transaction there is, newest first, as the table of the write path has them. */
let all: Known[];
let paid: string;
let errored: string;
let open: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'console-reads-'));
  edge = await PixEdge.start({
    DATA_DIR: dataDir,
    CHECKPOINT_INTERVAL_SECONDS: '1',
    LEDGER_PARTITIONS: '2',
    WEBHOOK_RETRY_SCHEDULE: '0s',
  });
  const api = new OperatorApi(edge.service.url);
  other = await api.partner(['500.00', '0.00']);
  const theirs = await PartnerApi.login(edge.service.url, other.credentials);
  for (let i = 0; i < 5; i++) await edge.api.transfer(edge.partner.accounts[1]!, '1.50');
  for (let i = 0; i < 4; i++) await theirs.transfer(other.accounts[1]!, i % 2 === 0 ? '1.50' : '2.00');
  await edge.reaches(await edge.cashOut('10.50'), 'Completed');
  errored = await edge.cashOut('20.97');
  open = await edge.cashOut('5.98');
  await edge.reaches(errored, 'Error');
  const deposit = await edge.cashIn('12.00');
  paid = deposit.id;
  await edge.pay(deposit.qrCode);
  await edge.reaches(paid, 'Completed');
  await edge.cashIn('10.50');
  const refund = await edge.api.post(`/accounts/pix/cashin/${paid}/refunds`, { amount: '4.00' });
  await edge.reaches(refund.body.data.transaction.id, 'Completed');
  limitedToken = (await api.post('/auditors', { name: 'One', partnerUid: edge.partner.uid })).token;
  operator = await signIn(edge.service.url, ADMIN_TOKEN);
  auditor = await signIn(edge.service.url, (await api.post('/auditors', { name: 'All' })).token);
  limited = await signIn(edge.service.url, limitedToken);
  await followed();
  all = await edge.database.query<Known & Record<string, unknown>>(`
    select t.*, a.partner_uid as partner from transaction t join account a on a.partition = t.partition and a.uid = t.account_uid
    order by t.id desc`);
}, 60_000);
afterAll(async () => {
  await edge?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function followed(): Promise<void> {
  await eventually(async () => {
    const rows = await edge.database.query(
      `select h.position - s.position as lag from log_head h join subscription s using (partition)
       where s.consumer in ('transaction-search', 'entries')`,
    );
    return rows.length >= 4 && rows.every(({ lag }) => Number(lag) === 0);
  });
}

async function everyPage(session: SignedIn, path: string, limit: number): Promise<any[]> {
  const items: any[] = [];
  let cursor: string | null = null;
  do {
    const mark: string = `${path.includes('?') ? '&' : '?'}limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`;
    const page: any = await session.get(path + mark);
    expect(page.items.length).toBeLessThanOrEqual(limit);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

const centavos = (amount: string) => Math.round(Number(amount) * 100);
const registered = ({ state_dates: dates }: Known) => dates.Registered ?? dates.Completed!;
const parties = (one: Known): string[] => {
  if (one.type === 'CashOut') return [PAYEE];
  return one.id === paid || one.refund_of === paid ? [PAYER.taxNumber] : [];
};

/** What each filter means, on rows in memory. */
const MEANS: Record<string, (one: Known, value: string) => boolean> = {
  id: (one, value) => one.id === value,
  orderId: (one, value) => one.order_id === value,
  endToEndId: (one, value) => one.end_to_end_id === value,
  txid: (one, value) => one.type === 'CashIn' && one.id.replaceAll('-', '') === value,
  taxNumber: (one, value) => parties(one).includes(value),
  amount: (one, value) => Number(one.amount) === centavos(value),
  type: (one, value) => one.type === value,
  state: (one, value) => one.state === value,
  partner: (one, value) => one.partner === value,
  account: (one, value) => [one.account_uid, one.counterparty_uid].includes(value),
  from: (one, value) => registered(one) >= value,
  to: (one, value) => registered(one) < value,
};

describe('a search', () => {
  const searches = (): Record<string, string>[] => {
    const [ours, theirs] = [edge.partner, other];
    const middle = registered(all[Math.floor(all.length / 2)]!);
    const whole = all.find(({ id }) => id === errored)!;
    return [
      {},
      { type: 'Transfer' },
      { state: 'Registered' },
      { state: 'Completed' },
      { type: 'CashOut', state: 'Error' },
      { type: 'Transfer', state: 'Error' },
      { partner: ours.uid },
      { partner: theirs.uid, type: 'Transfer' },
      { partner: ours.uid, state: 'Completed' },
      { account: ours.accounts[0]! },
      { account: ours.accounts[1]! },
      { account: ours.accounts[0]!, state: 'Completed', amount: '1.50' },
      { account: ours.accounts[0]!, partner: theirs.uid },
      { account: ours.accounts[0]!, from: middle },
      { account: ours.accounts[0]!, to: middle },
      { amount: '1.50' },
      { amount: '1.50', partner: theirs.uid },
      { amount: '10.50', type: 'CashIn' },
      { amount: '1.50', to: middle },
      { orderId: 'pedido-2' },
      { orderId: 'pedido-2', state: 'Error' },
      { orderId: 'pedido-1', partner: theirs.uid },
      { orderId: 'pedido-1', amount: '10.50' },
      { endToEndId: whole.end_to_end_id! },
      { endToEndId: whole.end_to_end_id!, state: 'Completed' },
      { txid: paid.replaceAll('-', '') },
      { id: paid },
      { id: paid, txid: errored.replaceAll('-', '') },
      { id: paid, state: 'Error' },
      { txid: errored.replaceAll('-', '') },
      { id: errored, taxNumber: PAYEE },
      { id: errored, taxNumber: PAYER.taxNumber },
      { txid: paid.replaceAll('-', ''), taxNumber: PAYER.taxNumber },
      { txid: paid.replaceAll('-', ''), taxNumber: PAYEE },
      { endToEndId: whole.end_to_end_id!, taxNumber: PAYEE },
      { endToEndId: whole.end_to_end_id!, taxNumber: PAYER.taxNumber },
      { taxNumber: PAYEE },
      { taxNumber: '111.444.777-35', state: 'Completed' },
      { taxNumber: PAYER.taxNumber },
      { taxNumber: PAYEE, partner: theirs.uid },
      { taxNumber: PAYEE, account: ours.accounts[0]!, type: 'CashOut' },
      { from: middle },
      { to: middle, type: 'Transfer' },
      { from: middle, to: registered(all[1]!) },
      { id: 'nonsense' },
      { account: 'nonsense' },
      { partner: ours.accounts[0]! },
      { orderId: 'unknown' },
    ];
  };
  const expected = (filters: Record<string, string>, visible: readonly Known[]) => {
    const normal = { ...filters, ...(filters.taxNumber && { taxNumber: filters.taxNumber.replaceAll(/\D/g, '') }) };
    const found = visible.filter((one) => Object.entries(normal).every(([name, value]) => MEANS[name]!(one, value)));
    return found.map(({ id }) => id);
  };

  it('finds exactly what fits, newest first, page by page, whatever it asks for', async () => {
    expect(all.length).toBeGreaterThan(14);
    for (const filters of searches()) {
      for (const limit of [2, 100]) {
        const found = await everyPage(auditor, `/audit/transactions?${new URLSearchParams(filters)}`, limit);
        expect({ filters, found: found.map(({ id }) => id) }).toEqual({ filters, found: expected(filters, all) });
      }
    }
  }, 60_000);

  it('of an auditor of one partner finds nothing of another', async () => {
    const visible = all.filter(({ partner }) => partner === edge.partner.uid);
    for (const filters of searches()) {
      const found = await everyPage(limited, `/audit/transactions?${new URLSearchParams(filters)}`, 3);
      expect({ filters, found: found.map(({ id }) => id) }).toEqual({ filters, found: expected(filters, visible) });
    }
  }, 60_000);

  it('answers operators the same', async () => {
    const query = `transactions?partner=${edge.partner.uid}`;
    expect(await operator.get(`/admin/${query}`)).toMatchObject({
      items: (await auditor.get(`/audit/${query}`)).items,
    });
  });

  it('shows a transaction as the partner reads it, with its parties', async () => {
    const {
      items: [found],
    } = await auditor.get(`/audit/transactions?id=${errored}`);
    const own = await edge.transaction(errored);
    expect(found).toEqual({
      id: errored,
      partition: expect.any(Number),
      partnerUid: edge.partner.uid,
      partnerName: 'Loja Teste Ltda',
      accountName: 'Conta 1',
      counterpartyName: 'Maria Silva',
      accountUid: edge.partner.accounts[0],
      counterpartyUid: null,
      type: 'CashOut',
      state: 'Error',
      amount: '20.97',
      charges: '0.00',
      orderId: 'pedido-2',
      endToEndId: own.endToEndId,
      refundOf: null,
      errorReason: 'AC07',
      registeredAt: own.stateDates.Registered,
      changedAt: own.stateDates.Error,
    });
  });

  it('refuses what it cannot understand, and cursors of other searches', async () => {
    for (const query of [
      'amount=1,50',
      'amount=-1',
      'taxNumber=123',
      'type=Nonsense',
      'state=Nonsense',
      'from=yesterday',
      'limit=0',
      'orderId=a%00b',
      'orderId=a&orderId=b',
      'cursor=x',
    ]) {
      expect({ query, ...(await auditor.request('GET', `/audit/transactions?${query}`)) }).toMatchObject({
        query,
        status: 400,
        body: { error: { name: 'InvalidInputError' } },
      });
    }
    const { nextCursor } = await auditor.get('/audit/transactions?limit=1');
    const foreign = [
      await auditor.request('GET', `/audit/transactions?limit=1&type=Transfer&cursor=${nextCursor}`),
      await limited.request('GET', `/audit/transactions?limit=1&cursor=${nextCursor}`),
    ];
    expect(foreign.map(({ status }) => status)).toEqual([400, 400]);
  });
});

describe('a transaction', () => {
  it('is shown with its payment and its refunds', async () => {
    const detail = await auditor.get(`/audit/transactions/${paid}`);
    expect(detail).toMatchObject({
      id: paid,
      state: 'Completed',
      payment: { qrCode: expect.stringContaining('br.gov.bcb.pix') },
      refunds: [{ type: 'Refund', amount: '4.00', state: 'Completed', refundOf: paid }],
    });
    expect(await operator.get(`/admin/transactions/${paid}`)).toEqual(detail);
    expect((await auditor.get(`/audit/transactions/${open}`)).stateDates).toEqual({ Registered: expect.any(String) });
  });

  it('is shown with its deliveries and every attempt', async () => {
    const items = await eventually(async () => {
      const found = (await limited.get(`/audit/transactions/${errored}/deliveries`)).items;
      return found[0]?.status === 'Exhausted' && found;
    });
    expect(items).toMatchObject([
      { transactionId: errored, transactionState: 'Error', attempts: [{ number: 1, httpStatus: null }] },
    ]);
    expect((await limited.get(`/audit/transactions/${errored}/deliveries?status=Delivered`)).items).toEqual([]);
    expect((await operator.get(`/admin/transactions/${errored}/deliveries`)).items).toEqual(items);
  });
});

describe('an account', () => {
  it('is shown with its balances, its keys without secrets, and the statement that its partner reads', async () => {
    const [uid, second] = edge.partner.accounts;
    const account = await operator.get(`/admin/accounts/${uid}`);
    expect(account).toMatchObject({ uid, partnerUid: edge.partner.uid, balance: await edge.api.balance(uid!) });
    expect(account.entries).toBeGreaterThan(8);
    expect(await everyPage(limited, `/audit/partners/${edge.partner.uid}/accounts`, 1)).toMatchObject([
      account,
      { uid: second, entries: 5 },
    ]);
    const keys = await operator.get(`/admin/accounts/${uid}/access-keys`);
    expect(keys).toMatchObject({ items: [{ accessKey: edge.partner.credentials.accessKey, status: 'Active' }] });
    expect(JSON.stringify(keys)).not.toContain('sk_');
    const own = (await edge.api.get(`/accounts/${uid}/statement?limit=100`)).body.data;
    const lines = await everyPage(limited, `/audit/accounts/${uid}/statement`, 4);
    expect(lines.map(({ counterpartyName: _name, ...line }) => line)).toEqual(own.items);
    for (const { transactionId, counterpartyName } of lines) {
      // The operator's own credits have an identifier, and are no transactions.
      const found = transactionId && (await auditor.request('GET', `/audit/transactions/${transactionId}`)).body.data;
      const otherSide = found?.accountUid === uid ? found.counterpartyName : found?.accountName;
      expect(counterpartyName).toBe(otherSide ?? null);
    }
    expect(lines.some(({ counterpartyName }) => counterpartyName !== null)).toBe(true);
  });

  it('has a statement of a period that is the same part of the whole', async () => {
    const uid = edge.partner.accounts[0]!;
    const whole = await everyPage(auditor, `/audit/accounts/${uid}/statement`, 100);
    const [to, from] = [whole[2].date, whole.at(-3).date];
    const part = await everyPage(auditor, `/audit/accounts/${uid}/statement?from=${from}&to=${to}`, 2);
    expect(part).toEqual(whole.filter(({ date }) => date >= from && date < to));
    expect(part.length).toBeGreaterThan(1);
    expect(await everyPage(auditor, `/audit/accounts/${uid}/statement?to=2020-01-01`, 2)).toEqual([]);
    expect(await everyPage(auditor, `/audit/accounts/${uid}/statement?from=2100-01-01`, 2)).toEqual([]);
  });

  it('has the events of an account, page by page, also where one event has several of its entries', async () => {
    const uid = edge.partner.accounts[0]!;
    const whole = await everyPage(auditor, `/audit/accounts/${uid}/events`, 100);
    expect(whole.length).toBeGreaterThan(10);
    expect(whole.some(({ type }) => type === 'CashOutRegistered')).toBe(true);
    expect(await everyPage(auditor, `/audit/accounts/${uid}/events`, 2)).toEqual(whole);
  });

  it('has balances over time: each entry, or evenly chosen ones', async () => {
    const uid = edge.partner.accounts[0]!;
    await tellEvents(edge.database);
    const entries = await edge.database.query(
      `select number, position, time, sum(amount) filter (where bucket = 'available') over w as available,
         coalesce(sum(amount) filter (where bucket = 'held') over w, 0) as held
       from (
         select (p->>'entry')::int as number, position, time, p->>'bucket' as bucket, (p->>'amount')::bigint as amount
         from told.event, json_array_elements(data->'postings') p where p->>'account' = $1) as posting
       window w as (order by number) order by number`,
      [uid],
    );
    const points = entries.map(({ number, time, available, held }) => ({
      at: time.toISOString(),
      entry: number,
      available: (Number(available) / 100).toFixed(2),
      held: (Number(held) / 100).toFixed(2),
      blocked: '0.00',
    }));
    const none = { at: null, entry: 0, available: '0.00', held: '0.00', blocked: '0.00' };
    expect(await auditor.get(`/audit/accounts/${uid}/balances`)).toEqual({
      before: none,
      points,
      entries: points.length,
    });
    const few = await auditor.get(`/audit/accounts/${uid}/balances?points=3`);
    const last = Number(entries.at(-1)!.position);
    const upTo = (place: number) => points[entries.findLastIndex(({ position }) => position <= Math.floor(place))];
    const evenly = [upTo(last / 3), upTo((last * 2) / 3), points.at(-1)];
    expect(few).toEqual({ before: none, points: evenly.filter(Boolean), entries: points.length });
    const from = points[3]!.at;
    const later = await operator.get(`/admin/accounts/${uid}/balances?from=${from}&points=500`);
    expect(later.points).toEqual(points.filter(({ at }) => at >= from));
    expect(later.before).toMatchObject({ at: from, entry: later.points[0].entry - 1 });
    const fewLater = await auditor.get(`/audit/accounts/${uid}/balances?from=${from}&points=6`);
    expect(fewLater.points.length).toBeGreaterThan(1);
    expect(later.points).toEqual(expect.arrayContaining(fewLater.points));
    expect((await auditor.request('GET', `/audit/accounts/${uid}/balances?points=1`)).status).toBe(400);
  });
});

describe('an auditor of one partner', () => {
  it('gets 404 for anything of another partner', async () => {
    const hidden = all.find(({ partner }) => partner === other.uid)!;
    for (const path of [
      `/partners/${other.uid}`,
      `/partners/${other.uid}/accounts`,
      `/accounts/${other.accounts[0]}`,
      `/accounts/${other.accounts[0]}/access-keys`,
      `/accounts/${other.accounts[0]}/statement`,
      `/accounts/${other.accounts[0]}/balances`,
      `/accounts/${other.accounts[0]}/holds`,
      `/accounts/${other.accounts[0]}/limits`,
      `/transactions/${hidden.id}`,
      `/transactions/${hidden.id}/deliveries`,
      `/transactions/${hidden.id}/events`,
    ]) {
      expect({ path, ...(await limited.request('GET', `/audit${path}`)) }).toMatchObject({ path, status: 404 });
      expect({ path, ...(await auditor.request('GET', `/audit${path}`)) }).toMatchObject({ path, status: 200 });
    }
    expect((await limited.get('/audit/partners')).items).toMatchObject([{ uid: edge.partner.uid }]);
    expect((await auditor.get('/audit/partners')).items.length).toBeGreaterThan(1);
  });

  it('gets no figures of all partners, and starts no verification', async () => {
    const answers = [
      await limited.request('GET', '/audit/overview'),
      await limited.request('GET', '/audit/overview/latency'),
      await limited.request('GET', '/audit/verifications'),
      await limited.request('POST', '/audit/verifications', {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('exports the events of that partner only', async () => {
    const read = async (token: SignedIn, query: string) => {
      const { status, headers, body } = await token.request('GET', `/audit/export${query}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
      return (body as string)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const partition = Number.parseInt(edge.partner.accounts[0]!.slice(15, 18), 16);
    const lines = await read(limited, '');
    expect(lines[0]).toMatchObject({ kind: 'header', partner: edge.partner.uid });
    expect(lines.at(-1)).toEqual({ kind: 'end', events: lines.filter(({ kind }) => kind === 'event').length });
    expect(JSON.stringify(lines)).not.toContain(other.uid);
    const part = await read(auditor, `?partition=${partition}&from=2&to=4`);
    expect(part.filter(({ kind }) => kind === 'event').map(({ position }) => position)).toEqual(['2', '3', '4']);
    expect((await auditor.request('GET', '/audit/export?from=2')).status).toBe(400);
  });
});

describe('the overview', () => {
  const arrivals = () => {
    const counted = new Map<string, { count: number; amount: number }>();
    for (const { type, amount, state_dates: dates } of all) {
      for (const state of Object.keys(dates)) {
        const known = counted.get(`${type}/${state}`) ?? { count: 0, amount: 0 };
        counted.set(`${type}/${state}`, { count: known.count + 1, amount: known.amount + Number(amount) });
      }
    }
    return new Map([...counted].map(([key, { count, amount }]) => [key, { count, amount: (amount / 100).toFixed(2) }]));
  };
  const totalsOf = (overview: any) =>
    new Map(overview.totals.map(({ type, state, count, amount }: any) => [`${type}/${state}`, { count, amount }]));

  it('counts every transition to a state once, in minutes, hours and days', async () => {
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
    for (const [from, step] of [
      [hours(1), 'minute'],
      [hours(24), 'hour'],
      [hours(24 * 30), 'day'],
    ]) {
      const overview = await operator.get(`/admin/overview?from=${from}`);
      expect(overview.step).toBe(step);
      expect(totalsOf(overview)).toEqual(arrivals());
      const sum = overview.series.reduce((whole: number, { count }: any) => whole + count, 0);
      expect(sum).toBe([...arrivals().values()].reduce((whole, { count }) => whole + count, 0));
    }
    expect((await operator.get('/admin/overview?from=2020-01-01&to=2020-01-02')).totals).toEqual([]);
    expect((await operator.request('GET', '/admin/overview?from=2020-01-02&to=2020-01-01')).status).toBe(400);
  });

  it('shows success, latency, backlogs and consumer lag', async () => {
    const overview = await auditor.get('/audit/overview');
    expect(overview.success).toContainEqual({ type: 'CashOut', ended: 2, completed: 1, rate: 0.5 });
    const payouts = overview.latency.find(({ type }: any) => type === 'CashOut');
    const [took] = all
      .filter(({ type, state }) => type === 'CashOut' && state === 'Completed')
      .map(({ state_dates: dates }) => Date.parse(dates.Completed!) - Date.parse(dates.Registered!));
    expect(payouts.count).toBe(1);
    // Latencies are shown as the middle of their bucket.
    const eighth = Math.round(8 * Math.log2(Math.max(1, took!)));
    expect(payouts.p50Ms).toBe(Math.round(2 ** (eighth / 8)));
    const { at: _at, ...step } = (await auditor.get('/audit/overview/latency')).series.find(
      ({ type }: any) => type === 'CashOut',
    );
    expect(step).toEqual(payouts);
    expect(overview.followers).toContainEqual({ name: 'transaction-search', partition: 1, behind: 0 });
    expect(overview.queues.map(({ kind }: any) => kind)).toContain('pix-expire-cash-in');
    await eventually(async () => (await auditor.get('/audit/overview')).deliveries.exhausted > 0);
  });

  it('counts open holds, which an account shows with its limits', async () => {
    expect((await auditor.get('/audit/overview')).holds).toEqual({ count: 0, blocked: '0.00', capped: false });
    const api = new OperatorApi(edge.service.url);
    const uid = other.accounts[0]!;
    const order = { amount: '100.00', cause: 'Judicial', reference: 'R-1' };
    const [first, second] = [
      await api.post(`/accounts/${uid}/holds`, order),
      await api.post(`/accounts/${uid}/holds`, order),
    ];
    await api.post(`/accounts/${uid}/holds/${first.id}/release`, { amount: '40.00' });
    await api.post(`/accounts/${uid}/holds/${second.id}/release`, {});
    expect((await auditor.get('/audit/overview')).holds).toEqual({ count: 1, blocked: '60.00', capped: false });
    const { items } = await auditor.get(`/audit/accounts/${uid}/holds`);
    expect(items).toEqual((await operator.get(`/admin/accounts/${uid}/holds`)).items);
    expect(items.map(({ id, status, blocked }: any) => [id, status, blocked])).toEqual([
      [second.id, 'Closed', '0.00'],
      [first.id, 'Open', '60.00'],
    ]);
    await api.patch(`/accounts/${uid}/limits`, { day: '10.00' });
    const limits = await auditor.get(`/audit/accounts/${uid}/limits`);
    expect(limits.day).toMatchObject({ limit: '10.00', used: '0.00', left: '10.00' });
    expect(await operator.get(`/admin/accounts/${uid}/limits`)).toEqual(limits);
    const place = await auditor.request('POST', `/admin/accounts/${uid}/holds`, order);
    const change = await auditor.request('PATCH', `/admin/accounts/${uid}/limits`, { day: null });
    expect([place.status, change.status]).toEqual([403, 403]);
  });
});

describe('the ledger', () => {
  const sealed = (session: SignedIn) =>
    eventually<Record<string, any>[]>(async () => {
      const { items } = await session.get('/audit/partitions');
      return items.every(({ unsealed }: any) => unsealed === '0') && items;
    });

  it('shows an auditor of one partner the partitions that have anything of it', async () => {
    const home = Number.parseInt(edge.partner.accounts[0]!.slice(15, 18), 16);
    expect((await sealed(limited)).map(({ partition }) => partition)).toEqual([0, home]);
  });

  it('shows its partitions with their checkpoints', async () => {
    const items = await sealed(auditor);
    const heads = await edge.database.query(`select partition, position from log_head order by partition`);
    expect(items.map(({ partition, size }) => ({ partition, position: size }))).toEqual(heads);
    expect(items[1]).toMatchObject({ checkpoint: { size: items[1]!.size, root: items[1]!.root } });
  });

  it('is verified one at a time, with progress and a report', async () => {
    const { status, body } = await auditor.request('POST', '/audit/verifications', {});
    expect({ status, body }).toMatchObject({ status: 202, body: { data: { status: 'Running', report: null } } });
    const again = await operator.request('POST', '/audit/verifications', {});
    expect(again).toMatchObject({ status: 422, body: { error: { details: { reason: 'VerificationUnderWay' } } } });
    const run = await eventually(
      async () => {
        const now = await operator.get(`/audit/verifications/${body.data.id}`);
        return now.status !== 'Running' && now;
      },
      { within: 20_000, every: 100 },
    );
    expect(run).toMatchObject({ status: 'Finished', ok: true, fault: null, report: { ok: true, divergenceCount: 0 } });
    expect(run.examined).toBe(run.total);
    expect(Number(run.total)).toBeGreaterThan(all.length);
    const [listed] = (await auditor.get('/audit/verifications')).items;
    expect(listed).toMatchObject({ id: run.id, ok: true, startedBy: expect.stringMatching(/^auditor:/) });
    expect(listed).not.toHaveProperty('report');
    expect((await auditor.request('GET', `/audit/verifications/${paid}`)).status).toBe(404);
    expect((await call(edge.service.url, 'POST', '/audit/verifications', { token: limitedToken })).status).toBe(403);
  }, 40_000);

  it('is verified anew where a run was lost; that one is still told of', async () => {
    const lost = newId(REGISTRY_PARTITION);
    await edge.database.query(
      `insert into verification_run (id, started_by, status, started_at, seen_at)
       values ($1, 'auditor:gone', 'Running', now() - interval '40 s', now() - interval '31 s')`,
      [lost],
    );
    expect((await auditor.get(`/audit/verifications/${lost}`)).status).toBe('Lost');
    const started = await Promise.all([1, 2, 3].map(() => auditor.request('POST', '/audit/verifications', {})));
    expect(started.map(({ status }) => status).sort()).toEqual([202, 422, 422]);
    const fault = 'its process did not report for 30 s';
    expect(await auditor.get(`/audit/verifications/${lost}`)).toMatchObject({ status: 'Failed', ok: null, fault });
    const { id } = started.find(({ status }) => status === 202)!.body.data;
    // Another process takes it for lost too, as after a pause: it is over, and says nothing more.
    await edge.database.query(`update verification_run set status = 'Failed', fault = 'lost' where id = $1`, [id]);
    const again = await auditor.request('POST', '/audit/verifications', {});
    await ended(again.body.data.id);
    expect(await auditor.get(`/audit/verifications/${id}`)).toMatchObject({ status: 'Failed', fault: 'lost' });
  }, 40_000);

  it('is verified although its end cannot be recorded at once', async () => {
    await edge.database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
      create trigger refused before update on verification_run
        for each row when (new.status <> 'Running') execute function refuse()`);
    const { body } = await auditor.request('POST', '/audit/verifications', {});
    try {
      await eventually(async () => {
        const { examined, total } = await auditor.get(`/audit/verifications/${body.data.id}`);
        return total !== '0' && examined === total;
      });
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect((await auditor.get(`/audit/verifications/${body.data.id}`)).status).toBe('Running');
    } finally {
      await edge.database.query('drop trigger refused on verification_run; drop function refuse');
    }
    expect((await ended(body.data.id)).status).toBe('Finished');
  }, 40_000);

  const ended = (id: string) =>
    eventually(
      async () => {
        const now = await auditor.get(`/audit/verifications/${id}`);
        return now.status !== 'Running' && now;
      },
      { within: 20_000, every: 100 },
    );
});

describe('the projection of the search and its totals', () => {
  const TABLES = {
    transaction_search: 'partition, id',
    transaction_subject: 'partition, subject, id',
    transaction_total: 'partition, step, at, type, state, latency',
  };
  const dump = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(TABLES).map(async ([table, order]) => [
          table,
          await edge.database.query(`select * from ${table} order by ${order}`),
        ]),
      ),
    );
  const ledger = (args: readonly string[]) => runLedger(args, { DATABASE_URL: edge.database.url, ...edge.env });

  it('is the same after a rebuild, and verify finds changes in it', async () => {
    const live = await dump();
    // Transfers made at once are found without a row.
    const payments = all.filter(({ type }) => type !== 'Transfer');
    expect(payments.length).toBeLessThan(all.length);
    expect(live.transaction_search).toHaveLength(payments.length);
    await edge.database.query(`update transaction_search set amount = amount + 1 where id = $1`, [paid]);
    await edge.database.query(`update transaction_search set state = 'Completed' where id = $1`, [errored]);
    await edge.database.query(
      `insert into transaction_search select partition, gen_random_uuid(), partner_uid, type, state,
      amount, order_id, refund_of, registered_at, position, version, changes, changed_position from transaction_search where id = $1`,
      [open],
    );
    const { code, stdout } = await ledger(['verify', '--json']);
    expect(code).toBe(1);
    const fields = JSON.parse(stdout).divergences.map(({ subject, field }: any) => `${subject} ${field}`);
    expect(fields.sort()).toEqual(
      [
        `transaction-search ${paid} amount`,
        `transaction-search ${errored} state`,
        'transaction-search count',
        'transaction_search.state sum of all rows',
      ].sort(),
    );
    expect((await ledger(['rebuild', '--projection', 'transaction-search'])).code).toBe(0);
    expect(await dump()).toEqual(live);
    expect((await ledger(['verify'])).code).toBe(0);
  }, 60_000);

  it('keeps following after that', async () => {
    await edge.api.transfer(edge.partner.accounts[1]!, '7.77');
    await eventually(async () => (await operator.get('/admin/transactions?amount=7.77')).items.length === 1);
  });
});
