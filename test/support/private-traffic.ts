import { type Answer, call, nextCnpj } from './api.js';
import { eventually } from './eventually.js';
import type { Markers } from './markers.js';
import { cpfOf, written, writtenCnpj } from './people.js';

/** A partner's and its operator's day, in which every secret and every personal datum is one that can be looked for. */
export class PrivateTraffic {
  /** Error answers, with what was sent to get them. */
  readonly refusals: { readonly sent: string; readonly got: string }[] = [];
  readonly accounts: string[] = [];
  /** An order's identifier is neither secret nor personal: it is stored as it is, and so shows that looking works. */
  readonly orderId = `order-${Date.now()}`;
  partnerUid = '';
  accessKey = '';
  #token = '';
  #secret = '';

  constructor(
    public base: string,
    private readonly adminToken: string,
    private readonly receiver: string,
    private readonly markers: Markers,
  ) {}

  /** Someone nobody else is: a name, a CPF and an account of their own. */
  #person(who: string) {
    const cpf = cpfOf(String(Math.floor(Math.random() * 1e9)).padStart(9, '0'));
    const name = this.markers.add(`name of the ${who}`, `Zuleide ${who} Quixeramobim`);
    const number = this.markers.add(`account number of the ${who}`, String(Math.floor(1e11 + Math.random() * 9e11)));
    this.markers.add(`tax number of the ${who}`, cpf, written(cpf));
    return { name, cpf, account: { ispb: '60701190', branch: '0001', number, digit: '7' } };
  }

  async #send(method: string, path: string, token: string | undefined, body?: unknown): Promise<Answer> {
    const answer = await call(this.base, method, path, { token, body });
    const sent = `${path} ${typeof body === 'string' ? body : JSON.stringify(body ?? '')}`;
    if (answer.status >= 400) this.refusals.push({ sent, got: JSON.stringify([answer.body, [...answer.headers]]) });
    return answer;
  }

  #operator = (method: string, path: string, body?: unknown) =>
    this.#send(method, `/admin${path}`, this.adminToken, body).then(({ body: { data } }) => data);

  partner = (method: string, path: string, body?: unknown) =>
    this.#send(method, `/partners-int${path}`, this.#token, body);

  async register(): Promise<void> {
    const taxNumber = nextCnpj();
    this.markers.add('tax number of the partner', taxNumber, writtenCnpj(taxNumber));
    const name = this.markers.add('name of the partner', 'Quitanda Quixadá Limoeiro Ltda');
    const partner = await this.#operator('POST', '/partners', { name, taxNumber: writtenCnpj(taxNumber) });
    this.partnerUid = partner.uid;
    this.markers.add('webhook secret', partner.webhookSecret);
    await this.#operator('POST', '/partners', { name, taxNumber });
    for (const which of ['first', 'second']) {
      const holder = this.markers.add(`name of the ${which} account`, `Conta ${which} Quixelô`);
      const account = await this.#operator('POST', `/partners/${partner.uid}/accounts`, { name: holder, taxNumber });
      this.accounts.push(account.uid);
      const reason = this.markers.add(`reason of the ${which} credit`, `Aporte ${which} Quiterianópolis`);
      await this.#operator('POST', `/accounts/${account.uid}/credits`, { amount: '900.00', reason });
    }
    const key = await this.#operator('POST', `/accounts/${this.accounts[0]}/access-keys`, {});
    this.accessKey = key.accessKey;
    this.#secret = this.markers.add('secret of the access key', key.secret);
    const auditor = await this.#operator('POST', '/auditors', { name: 'Audit', partnerUid: partner.uid });
    this.markers.add('credential of the auditor', auditor.token.split('_').slice(2).join('_'));
    await this.#send('GET', `/audit/accounts/${this.accounts[0]}/events`, auditor.token);
    await this.#send('GET', '/admin/partners', auditor.token);
    const rotated = await this.#operator('POST', `/partners/${partner.uid}/webhook-secret/rotate`);
    this.markers.add('new webhook secret', rotated.webhookSecret);
    const reason = this.markers.add('reason of a deactivation', 'Suspeita Quixeré');
    for (const change of ['deactivate', 'activate']) {
      await this.#operator('POST', `/accounts/${this.accounts[1]}/${change}`, { reason });
    }
  }

  async logIn(): Promise<void> {
    const typo = this.markers.add('secret that was mistyped', `${this.#secret.slice(0, -4)}typo`);
    const { accessKey } = this;
    await this.#send('POST', '/partners-int/login', undefined, { accessKey, secret: typo });
    await this.#send('POST', '/partners-int/login', undefined, { accessKey: typo, secret: accessKey });
    await this.#send('POST', '/partners-int/login', undefined, `{"accessKey":"${accessKey}","secret":"${this.#secret}`);
    const login = await this.#send('POST', '/partners-int/login', undefined, { accessKey, secret: this.#secret });
    this.#token = login.body.data.token;
    this.markers.add('token', this.#token);
    this.markers.add('signature of the token', this.#token.split('.')[2]!);
    await this.#send('GET', '/partners-int/accounts', `${this.#token}x`);
    await this.#send('GET', '/admin/partners', this.#token);
  }

  async move(): Promise<void> {
    const [first, second] = this.accounts;
    const transferDescription = this.markers.add('description of a transfer', 'Aluguel Quixariú');
    const transfer = (refAccountCredit: unknown, transferAmount: string) =>
      this.partner('POST', '/accounts/transfer', { refAccountCredit, transferAmount, transferDescription });
    for (const [to, amount] of [
      [second, '1.00'],
      [second, '99999.00'],
      [first, '1.00'],
      ['x', '1.00'],
      [second, '0'],
    ]) {
      await transfer(to, amount!);
    }
    await transfer({ refAccountCredit: transferDescription }, transferDescription);
  }

  /** @param path of the receiver: how it behaves */
  #webhook(path: string) {
    const customHeaderValue = this.markers.add(
      `header value for ${path}`,
      `hv-${path}-${Math.random().toString(36).slice(2)}`,
    );
    return { url: `${this.receiver}/${path}`, customHeaderName: 'X-Api-Key', customHeaderValue };
  }

  async payOut(): Promise<void> {
    const email = this.markers.add('e-mail key', `quixaba.${Date.now()}@example.com`);
    const phone = this.markers.add('phone key', '+5585987654321');
    const evp = this.markers.add('random key', '7f3c1a52-9be4-4d0c-8f6e-5a1b2c3d4e5f');
    const orderDescription = this.markers.add('description of a payout', 'Fornecedor Quixabeira');
    const transaction = { orderId: this.orderId, orderDescription };
    const someone = this.#person('Recipient');
    const cpf = written(someone.cpf);
    const recipient = { name: someone.name, cpf };
    const bodies: [string, unknown, string][] = [
      ['5.00', { key: { type: 'EMAIL', value: email }, recipient }, 'ok'],
      ['5.97', { key: { type: 'PHONE', value: phone }, recipient }, 'fail'],
      ['5.99', { recipient: { ...recipient, account: someone.account } }, 'gone'],
      ['5.96', { key: { type: 'EVP', value: evp }, recipient: { ...recipient, account: someone.account } }, 'redirect'],
      ['5.98', { key: { type: 'CPF', value: cpf }, recipient }, 'ok'],
      ['99999.00', { key: { type: 'EMAIL', value: email }, recipient }, 'ok'],
      ['5.00', { key: { type: email, value: phone }, recipient: { name: 7, cpf: email } }, 'ok'],
    ];
    for (const [value, payment, path] of bodies) {
      await this.partner('POST', '/accounts/pix/cashout', {
        payment: { value, ...(payment as object) },
        transaction,
        webhook: this.#webhook(path),
      });
    }
    const broken = JSON.stringify({ recipient, transaction }).slice(0, -2);
    await this.partner('POST', '/accounts/pix/cashout', broken);
    await this.partner('GET', `/accounts/${encodeURIComponent(cpf)}`);
    await this.partner('GET', `/accounts/transactions?orderId=${encodeURIComponent(someone.name)}&limit=${email}`);
  }

  async takeIn(): Promise<void> {
    const payer = this.#person('Payer');
    const stranger = this.#person('Stranger');
    const orderDescription = this.markers.add('description of a deposit', 'Pedido Quixeramobim 77');
    const request = (path: string) => ({
      payment: { value: { original: '7.00' }, payer: { name: payer.name, cpf: payer.cpf } },
      transaction: { orderId: this.orderId, orderDescription },
      webhook: this.#webhook(path),
    });
    const pay = ({ qrCode }: { qrCode: string }, { name, cpf, account }: typeof payer) =>
      this.#send('POST', '/sandbox/pix/payments', this.adminToken, {
        qrCode,
        payer: { name, taxNumber: cpf, ...account },
      });
    const made: any[] = [];
    for (const path of ['ok', 'fail', 'hang-up']) {
      made.push((await this.partner('POST', '/accounts/pix/cashin', request(path))).body.data);
    }
    const [paid, returned, cancelled] = made;
    await pay(paid.payment, payer);
    await pay(paid.payment, payer);
    await pay(returned.payment, stranger);
    await pay({ qrCode: `${paid.payment.qrCode}x` }, payer);
    await this.partner('POST', `/accounts/pix/cashin/${cancelled.transaction.id}/cancel`);
    await this.partner('POST', `/accounts/pix/cashin/${cancelled.transaction.id}/cancel`);
    await eventually(async () => {
      const read = await this.partner('GET', `/accounts/transactions/${paid.transaction.id}`);
      return read.body.data.transaction.state === 'Completed';
    });
    const reason = this.markers.add('reason of a refund', 'Devolução Quixoaçu');
    for (const amount of ['1.00', '100.00']) {
      await this.partner('POST', `/accounts/pix/cashin/${paid.transaction.id}/refunds`, { amount, reason });
    }
    for (const path of ['payload', 'qrcode', 'receipts/x']) {
      await this.#send('GET', `/pix/${path}/${paid.transaction.id}`, undefined);
    }
    await this.partner('POST', '/webhooks/test', this.#webhook('fail'));
    await this.partner('GET', `/accounts/${this.accounts[0]}/statement`);
  }
}
