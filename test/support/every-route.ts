import { call, OperatorApi } from './api.js';
import { signIn } from './console.js';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import type { PartnerReceiver } from './partner-receiver.js';
import { csvOf, payoutRow } from './payout-files.js';
import { ADMIN_TOKEN } from './service.js';
import { dayBefore, unknownPayout, timerRuns } from './timers.js';

const CPF = '52998224725';
const OTHER = '11144477735';
const PAYER = { name: 'Ana', taxNumber: CPF, ispb: '99999008', branch: '0001', number: '1234567', digit: '8' };
const NEXT_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const EVER = 'from=2020-01-01&to=2100-01-01';

/** In this order: each needs what those before it made. */
export const LEGS = ['operator', 'transfers', 'payments', 'med', 'files', 'reads', 'audit', 'ending'] as const;

/**
 * Leads a service through every route that touches the ledger, each so that it succeeds, with every filter of lists
 * and every outcome of a payment.
 */
export class Visit implements Record<(typeof LEGS)[number], () => Promise<void>> {
  /** As openapi.json names them: `GET /partners-int/accounts/{uid}` */
  readonly routes = new Set<string>();
  #partner = '';
  #accounts: readonly string[] = [];
  #accessKey = '';
  #token = '';
  #deposit = '';
  #infraction = '';
  #orders = 0;

  constructor(
    private readonly base: string,
    private readonly receiver: PartnerReceiver,
    private readonly database: TestDatabase,
  ) {}

  async operator(): Promise<void> {
    const { uid, accounts, credentials } = await new OperatorApi(this.base).partner(['500.00', '100.00']);
    for (const route of [
      'partners',
      'partners/{uid}/accounts',
      'accounts/{uid}/credits',
      'accounts/{uid}/access-keys',
    ]) {
      this.routes.add(`POST /admin/${route}`);
    }
    [this.#partner, this.#accounts, this.#accessKey] = [uid, accounts, credentials.accessKey];
    await this.#admin('GET', '/partners');
    await this.#admin('GET', '/partners/{uid}', { uid });
    const settings = { uniqueOrderIds: true, cashInCharge: '0.10', cashOutCharge: '0.10' };
    await this.#admin('PATCH', '/partners/{uid}/settings', { uid }, settings);
    await this.#admin('POST', '/partners/{uid}/webhook-secret/rotate', { uid });
    await this.#admin(
      'PATCH',
      '/accounts/{uid}/limits',
      { uid: accounts[0]! },
      { month: '100000.00', nightStartsAt: '22:00', payee: { day: '5000.00', night: '5000.00' } },
    );
    await this.#admin('GET', '/accounts/{uid}/limits', { uid: accounts[0]! });
    await this.#admin('PATCH', '/partners/{uid}/limits', { uid }, { others: { month: '100000.00' } });
    await this.#admin('GET', '/partners/{uid}/limits', { uid });
    await this.#contacts(accounts[0]!);
    await this.#admin('POST', '/accounts/{uid}/deactivate', { uid: accounts[1]! }, { reason: 'Teste' });
    await this.#admin('POST', '/accounts/{uid}/activate', { uid: accounts[1]! }, { reason: 'Teste' });
    await this.#cautionaryRules(uid);
    this.#token = (await this.#go('POST', '/partners-int/login', {}, { body: credentials })).token;
    await this.#toldOf(accounts[1]!);
  }

  /** What happens to holds is told at an address, which is removed again. */
  async #toldOf(uid: string): Promise<void> {
    const body = { url: this.receiver.url('/hook'), customHeaderName: 'X-Source', customHeaderValue: 'a' };
    await this.#own('PUT', '/accounts/{uid}/webhook', { uid }, body);
    await this.#own('GET', '/accounts/{uid}/webhook', { uid });
    await this.#holds(uid);
    await this.#own('DELETE', '/accounts/{uid}/webhook', { uid });
  }

  /** One stays: it looks up who pays the larger deposits. */
  async #cautionaryRules(uid: string): Promise<void> {
    const rule = { name: 'Teste', payerUnknown: true, companies: true, amountAbove: '10.00' };
    const { id } = await this.#admin('POST', '/partners/{uid}/cautionary-rules', { uid }, rule);
    await this.#admin('POST', '/partners/{uid}/cautionary-rules/{id}/remove', { uid, id });
    await this.#admin('POST', '/partners/{uid}/cautionary-rules', { uid }, rule);
    await this.#admin('GET', '/partners/{uid}/cautionary-rules', { uid });
  }

  /** A deposit that a rule blocks is sent back in part. */
  async #blockedDeposit(): Promise<void> {
    const uid = this.#accounts[0]!;
    const { id: deposit, qrCode } = await this.#cashIn('c', '12.00');
    await this.#go('POST', '/sandbox/pix/payments', {}, { body: { qrCode, payer: { ...PAYER, taxNumber: OTHER } } });
    await this.#reaches(deposit, 'Completed');
    const [{ id }] = (await this.#admin('GET', '/accounts/{uid}/holds', { uid })).items;
    const part = await this.#admin('POST', '/accounts/{uid}/holds/{id}/return', { uid, id }, { amount: '4.00' });
    await this.#reaches(part.transaction.id, 'Completed');
  }

  /** One stays, so that payouts ask for their contact. */
  async #contacts(uid: string): Promise<void> {
    const contact = (taxNumber: string) =>
      this.#admin('POST', '/accounts/{uid}/contacts', { uid }, { name: 'Ana', taxNumber, limits: { day: '9.00' } });
    const { id } = await contact(CPF);
    await contact('11144477735');
    await this.#admin('PATCH', '/accounts/{uid}/contacts/{id}', { uid, id }, { month: '99.00' });
    await this.#admin('GET', '/accounts/{uid}/contacts', { uid });
    await this.#admin('POST', '/accounts/{uid}/contacts/{id}/remove', { uid, id }, {});
  }

  /** One that waits is filled by a credit; a part of it is released, a part is executed. */
  async #holds(uid: string): Promise<void> {
    const order = { amount: '120.00', cause: 'Judicial', reference: 'R-1', retryUntil: '2100-01-01', note: 'Teste' };
    const { id } = await this.#admin('POST', '/accounts/{uid}/holds', { uid }, order);
    await this.#admin('POST', '/accounts/{uid}/credits', { uid }, { amount: '10.00', reason: 'Teste' });
    await this.#admin('POST', '/accounts/{uid}/holds/{id}/release', { uid, id }, { amount: '5.00' });
    const destination = { kind: 'JudicialTransfer', reference: 'T-1' };
    await this.#admin('POST', '/accounts/{uid}/holds/{id}/execute', { uid, id }, { amount: '5.00', destination });
    await this.#admin('GET', '/accounts/{uid}/holds', { uid });
    await this.#admin('POST', '/accounts/{uid}/holds/{id}/release', { uid, id }, {});
  }

  async transfers(): Promise<void> {
    const body = { refAccountCredit: this.#accounts[1], transferAmount: '1.00', transferDescription: 'Aluguel' };
    const headers = { 'idempotency-key': 'once' };
    for (let time = 0; time < 2; time++) {
      await this.#go('POST', '/partners-int/accounts/transfer', {}, { body, headers, token: this.#token });
    }
    for (const mode of ['independent', 'atomic']) {
      const items = ['once', `${mode}-1`].map((idempotencyKey) => ({ ...body, idempotencyKey }));
      for (let time = 0; time < 2; time++) {
        await this.#own('POST', '/accounts/transfers/batch', {}, { mode, items });
      }
    }
    await this.#later({ ...body, scheduledFor: NEXT_MONTH });
    await this.#repeated(body);
  }

  /** For later, and taken back. */
  async #later(body: object): Promise<void> {
    const { id } = await this.#own('POST', '/accounts/transfer', {}, body);
    await this.#own('GET', '/accounts/transactions', {}, undefined, '?state=Scheduled');
    await this.#own('POST', '/accounts/transactions/{id}/cancel', { id });
  }

  async #repeated(transfer: object): Promise<void> {
    const body = { every: 'month', startsOn: NEXT_MONTH, count: 12, retryForHours: 24, transfer };
    const { id } = await this.#own('POST', '/accounts/schedules', {}, body);
    await this.#own('GET', '/accounts/schedules');
    await this.#own('GET', '/accounts/schedules/{id}', { id });
    await this.#own('DELETE', '/accounts/schedules/{id}', { id });
  }

  async payments(): Promise<void> {
    const paid = await this.#cashIn('a');
    await this.#go('GET', '/pix/qrcode/{transactionId}', { transactionId: paid.id });
    await this.#go('GET', '/pix/payload/{txid}', { txid: paid.id.replaceAll('-', '') });
    await this.#own('POST', '/accounts/pix/qrcode/decode', {}, { qrCode: paid.qrCode });
    await this.#go('POST', '/sandbox/pix/payments', {}, { body: { qrCode: paid.qrCode, payer: PAYER } });
    await this.#reaches(paid.id, 'Completed');
    const part = await this.#own('POST', '/accounts/pix/cashin/{id}/refunds', { id: paid.id }, { amount: '4.00' });
    await this.#reaches(part.transaction.id, 'Completed');
    await this.#own('POST', '/accounts/pix/cashin/{id}/cancel', { id: (await this.#cashIn('b')).id });
    this.#deposit = paid.id;
    await this.#blockedDeposit();

    const payout = this.#payout('20.00');
    const items = [1, 2].map((i) => ({ ...payout, idempotencyKey: `out-${i}`, transaction: { orderId: `many-${i}` } }));
    for (let time = 0; time < 2; time++) await this.#own('POST', '/accounts/pix/cashouts/batch', {}, { items });

    await this.#reaches(await this.#cashOut('20.96'), 'Completed'); // half of it comes back: a refund to us
    await this.#reaches(await this.#cashOut('20.97'), 'Error');
    await this.#reaches(await this.#cashOut('20.99'), 'Reversed');
    for (const [act, state] of Object.entries({ complete: 'Completed', fail: 'Error', reverse: 'Reversed' })) {
      const id = await this.#cashOut('20.98');
      await this.#go('POST', `/sandbox/pix/transactions/{id}/${act}`, { id });
      await this.#reaches(id, state);
      if (act === 'complete') await this.#receipt(id);
    }
  }

  /** Reports about deposits and recoveries of payouts, each to its end. */
  async med(): Promise<void> {
    const sandbox = (route: string, values: Record<string, string>, body?: object) =>
      this.#go('POST', `/sandbox/pix${route}`, values, { body });
    const report = async (amount: string) => {
      const { endToEndId } = (await this.#own('GET', '/accounts/transactions/{id}', { id: this.#deposit })).transaction;
      return (await sandbox('/infractions', {}, { endToEndId, amount, reason: 'Scam', details: 'Golpe' })).id as string;
    };
    const newest = async () => (await this.#own('GET', '/med', {}, undefined, '?limit=1')).items[0];
    await report('1.00');
    const { id } = await newest();
    await this.#own('POST', '/med/{id}/defence', { id }, { text: 'Entregue', links: ['https://loja.example/1'] });
    this.#infraction = id;
    await this.#admin('POST', '/med/{id}/decision', { id }, { decision: 'Agreed' });
    await eventually(async () => (await this.#own('GET', '/med/{id}', { id })).status === 'Closed');
    const cancelled = await report('0.50');
    await sandbox('/infractions/{id}/cancel', { id: cancelled });
    await this.#go('GET', '/sandbox/pix/infractions/{id}', { id: cancelled });
    for (const [act, body] of Object.entries({ accept: { amount: '1.00' }, refuse: undefined })) {
      const payout = await this.#cashOut('20.10');
      await this.#reaches(payout, 'Completed');
      const words = { reason: 'Scam', details: 'Golpe' };
      const { id: recovery } = await this.#own('POST', '/accounts/pix/cashout/{id}/recovery', { id: payout }, words);
      const reaches = (status: string) =>
        eventually(async () => (await this.#own('GET', '/recoveries/{id}', { id: recovery })).status === status);
      await reaches('Opened');
      await sandbox(`/recoveries/{id}/${act}`, { id: recovery }, body);
      await reaches(act === 'accept' ? 'Accepted' : 'Refused');
    }
    await this.#own('GET', '/recoveries');
  }

  /** One is run to its end, with a line that is refused; one is cancelled. */
  async files(): Promise<void> {
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'file-1' };
    const rows = ['file-1', 'file-2'].map((order) => payoutRow(order, '1.00'));
    const body = csvOf(...rows, payoutRow('file-3', '90000.00'));
    const options = { body, headers, token: this.#token };
    const { id } = await this.#go('POST', '/partners-int/payouts/files', {}, options);
    await eventually(async () => (await this.#own('GET', '/payouts/files/{id}', { id })).counts.completed === 2);
    await this.#own('GET', '/payouts/files');
    await call(this.base, 'GET', `/partners-int/payouts/files/${id}/results`, { token: this.#token });
    this.routes.add('GET /partners-int/payouts/files/{id}/results');
    const more = { ...options, body: csvOf(...Array.from({ length: 600 }, (_, i) => payoutRow(`more-${i}`, '0.01'))) };
    const other = await this.#go(
      'POST',
      '/partners-int/payouts/files',
      {},
      { ...more, headers: { ...headers, 'idempotency-key': 'file-2' } },
    );
    await this.#own('POST', '/payouts/files/{id}/cancel', { id: other.id });
    await eventually(async () => (await this.#own('GET', '/payouts/files/{id}', { id: other.id })).endedAt !== null);
  }

  async reads(): Promise<void> {
    const uid = this.#accounts[0]!;
    await this.#own('GET', '/accounts');
    await this.#own('GET', '/accounts/{uid}', { uid });
    await this.#own('GET', '/accounts/{uid}/limits', { uid });
    await this.#own('GET', '/accounts/{uid}/statement', { uid }, undefined, `?${EVER}`);
    await this.#own('GET', '/accounts/{uid}/holds', { uid });
    await this.#own('GET', '/accounts/{uid}/contacts', { uid });
    for (const filter of ['', '?type=CashIn&state=Completed', '?orderId=a', `?${EVER}`, '?endToEndId=E1']) {
      await this.#own('GET', '/accounts/transactions', {}, undefined, filter);
    }
    await this.#own('POST', '/webhooks/test', {}, { url: this.receiver.url('/hook') });
    for (const filter of [`?transactionId=${this.#deposit}`, '?status=Delivered', '?status=Exhausted']) {
      await this.#own('GET', '/webhooks/deliveries', {}, undefined, filter);
    }
    const [{ id }] = (await this.#own('GET', '/webhooks/deliveries')).items;
    await this.#own('POST', '/webhooks/deliveries/{id}/redeliver', { id });
    await this.#admin('POST', '/webhooks/deliveries/{id}/redeliver', { id });
    await this.#admin('GET', '/accounts/{uid}/webhooks/deliveries', { uid });
    await this.#admin('GET', '/webhooks/deliveries');
    await this.#admin('GET', '/webhooks/deliveries/{id}', { id });
    await this.#admin('POST', '/webhooks/deliveries/redeliver', {}, { host: 'nobody.example' });
  }

  async audit(): Promise<void> {
    const day = new Date().toISOString().slice(0, 10);
    await this.#go('GET', '/admin/reconciliation', {}, { token: ADMIN_TOKEN }, `?date=${day}`);
    await this.#cases();
    const { id, token } = await this.#admin('POST', '/auditors', {}, { name: 'Auditora' });
    await this.#admin('GET', '/auditors');
    // It lets everything else go first, and so has no time by which it ends: the others are read meanwhile.
    const run = await this.#go('POST', '/audit/verifications', {}, { token });
    const read = (route: string, values: Record<string, string> = {}, query = '') =>
      this.#go('GET', route, values, { token }, query);
    const uid = this.#accounts[0]!;
    const partition = String(Number.parseInt(uid.slice(15, 18), 16));
    const { size } = await eventually(async () => {
      const { items } = await read('/audit/checkpoints');
      return items.find((one: any) => String(one.partition) === partition && Number(one.size) > 20);
    });
    await read('/audit/checkpoints/{partition}', { partition });
    await read('/checkpoints/{partition}', { partition });
    await read('/.well-known/ledger-verifier-keys');
    await read('/audit/events', {}, `?partition=${partition}`);
    await read('/audit/accounts/{uid}/events', { uid });
    await read('/audit/transactions/{id}/events', { id: this.#deposit });
    await read('/audit/accounts/{uid}/balance', { uid }, '?at=2100-01-01');
    await read('/audit/proofs/inclusion', {}, `?partition=${partition}&position=3&size=${size}`);
    await read('/audit/proofs/consistency', {}, `?partition=${partition}&from=5&to=${size}`);
    await read('/audit/partitions');
    await read('/audit/export', {}, `?partition=${partition}`);
    await read('/audit/verifications');
    await this.#inspect('/audit', token);
    await this.#console();
    await eventually(async () => (await read('/audit/verifications/{id}', { id: run.id })).status === 'Finished', {
      within: Number.POSITIVE_INFINITY,
    });
    const { id: limited, token: ofOne } = await this.#admin(
      'POST',
      '/auditors',
      {},
      { name: 'Uma', partnerUid: this.#partner },
    );
    await this.#go('GET', '/audit/med', {}, { token: ofOne });
    await this.#admin('POST', '/auditors/{id}/revoke', { id: limited });
    await this.#admin('POST', '/auditors/{id}/revoke', { id });
  }

  async #cases(): Promise<void> {
    await unknownPayout(this.database, dayBefore(1), 100);
    await timerRuns(this.database, 'pix-reconcile');
    const [{ id }] = (await this.#admin('GET', '/reconciliation/cases')).items;
    await this.#admin('POST', '/reconciliation/cases/{id}/close', { id }, { note: 'Teste' });
  }

  /** What the console shows, by its session; an operator's reads are those of an auditor. */
  async #console(): Promise<void> {
    await this.#inspect('/admin', ADMIN_TOKEN);
    const session = await signIn(this.base, ADMIN_TOKEN);
    for (const method of ['GET', 'DELETE']) {
      const { status } = await session.request(method, '/console/session');
      if (status !== 200) throw new Error(`${method} /console/session: ${status}`);
      this.routes.add(`${method} /console/session`);
    }
    this.routes.add('POST /console/session');
  }

  async #inspect(under: '/admin' | '/audit', token: string): Promise<void> {
    const read = (route: string, values: Record<string, string> = {}, query = '') =>
      this.#go('GET', `${under}${route}`, values, { token }, query);
    const [account, deposit] = [{ uid: this.#accounts[0]! }, { id: this.#deposit }];
    for (const route of ['', '/statement', '/balances', '/access-keys', '/limits', '/holds'])
      await read(`/accounts/{uid}${route}`, account);
    for (const route of ['', '/latency']) await read(`/overview${route}`);
    await read('/partners');
    for (const route of ['', '/accounts', '/payout-files'])
      await read(`/partners/{uid}${route}`, { uid: this.#partner });
    const of = `partner=${this.#partner}`;
    const { endToEndId } = (await eventually(async () => {
      const { items } = await read('/transactions', {}, `?id=${this.#deposit}`);
      return items[0];
    })) as { endToEndId: string };
    for (const filter of [
      ...['', `?${of}`, '?type=CashIn', '?state=Completed', `?${of}&type=CashIn&state=Completed`, '?orderId=a'],
      ...[`?endToEndId=${endToEndId}`, `?txid=${this.#deposit.replaceAll('-', '')}`, `?taxNumber=${CPF}`],
      ...['?amount=10.00', `?account=${account.uid}`, `?${EVER}`, `?account=${account.uid}&${of}&type=CashIn`],
    ]) {
      await read('/transactions', {}, filter);
    }
    for (const route of ['', '/deliveries']) await read(`/transactions/{id}${route}`, deposit);
    await read('/med');
    await read('/med/{id}', { id: this.#infraction });
    await read('/names', {}, `?uids=${account.uid}`);
    for (const text of [this.#deposit, this.#deposit.slice(-12), 'loja', endToEndId, CPF]) {
      await read('/search', {}, `?q=${text}`);
    }
  }

  async ending(): Promise<void> {
    for (const act of ['disable', 'enable', 'revoke']) {
      await this.#admin('POST', `/access-keys/{accessKey}/${act}`, { accessKey: this.#accessKey });
    }
    await this.#go('GET', '/metrics');
  }

  async #cashIn(orderId: string, original = '10.00'): Promise<{ id: string; qrCode: string }> {
    const payment = { value: { original } };
    const made = await this.#own(
      'POST',
      '/accounts/pix/cashin',
      {},
      { transaction: { orderId }, payment, webhook: this.#hook },
    );
    return { id: made.transaction.id, qrCode: made.payment.qrCode };
  }

  async #cashOut(value: string): Promise<string> {
    const made = await this.#own('POST', '/accounts/pix/cashout', {}, this.#payout(value));
    return made.transaction.id;
  }

  #payout(value: string) {
    const key = { type: 'EMAIL', value: 'ana@example.com' };
    const payment = { value, key, recipient: { name: 'Ana', cpf: CPF } };
    return { payment, transaction: { orderId: `out-${this.#orders++}` }, webhook: this.#hook };
  }

  get #hook() {
    return { url: this.receiver.url('/hook'), customHeaderName: 'X-Key', customHeaderValue: 'v' };
  }

  async #reaches(id: string, state: string): Promise<void> {
    await eventually(
      async () => (await this.#own('GET', '/accounts/transactions/{id}', { id })).transaction.state === state,
    );
  }

  /** A receipt's address is told by webhook only. */
  async #receipt(id: string): Promise<void> {
    const told = await eventually(() =>
      this.receiver.at('/hook').find(({ body }) => body.includes(id) && body.includes('/pix/receipts/')),
    );
    const [, , , transactionId, token] = new URL(JSON.parse(told.body).transactionReceipt).pathname.split('/');
    await this.#go('GET', '/pix/receipts/{transactionId}/{token}', { transactionId: transactionId!, token: token! });
  }

  #own(method: string, route: string, values: Record<string, string> = {}, body?: unknown, query = '') {
    return this.#go(method, `/partners-int${route}`, values, { body, token: this.#token }, query);
  }

  #admin(method: string, route: string, values: Record<string, string> = {}, body?: unknown) {
    return this.#go(method, `/admin${route}`, values, { body, token: ADMIN_TOKEN });
  }

  /** @returns `data` of the answer */
  async #go(
    method: string,
    route: string,
    values: Record<string, string> = {},
    options: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
    query = '',
  ): Promise<any> {
    const path = route.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
    const answer = await call(this.base, method, path + query, options);
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.routes.add(`${method} ${route}`);
    return answer.body.data;
  }
}
