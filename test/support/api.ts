import { randomInt } from 'node:crypto';
import { exchange } from './exchange.js';
import { ADMIN_TOKEN } from './service.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

export interface Call {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** What a browser adds by itself when the console's page asks for something. */
export const FROM_PAGE = { 'x-console': '1', 'sec-fetch-site': 'same-origin' };

/** One HTTP request to a service; bodies go and come as JSON. */
export async function call(base: string, method: string, path: string, options: Call = {}): Promise<Answer> {
  const { token, body } = options;
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...options.headers,
  };
  const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const { text, ...answer } = await exchange(base + path, method, headers, sent);
  const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '') && text !== '';
  return { ...answer, body: isJson ? JSON.parse(text) : text };
}

const PATIENT_MS = 20_000;

/**
 * The answer that is none of overload: 503 with Retry-After says that nothing was done, and the same request, with its
 * Idempotency-Key if it has one, is sent again after that time.
 */
export async function patiently(request: () => Promise<Answer>): Promise<Answer> {
  const until = Date.now() + PATIENT_MS;
  for (;;) {
    const answer = await request();
    const isOverload = answer.status === 503 && answer.body.error.name === 'ServiceUnavailable';
    if (!isOverload || Date.now() > until) return answer;
    const seconds = Number(answer.headers.get('retry-after') ?? NaN);
    if (!(seconds > 0)) throw new Error(`503 without Retry-After: ${JSON.stringify(answer.body)}`);
    await new Promise((resume) => setTimeout(resume, seconds * 1000));
  }
}

/** The operator's routes of a service; every call must succeed. */
export class OperatorApi {
  constructor(readonly base: string) {}

  async post(path: string, body?: unknown, headers?: Record<string, string>): Promise<any> {
    return this.#must('POST', path, body, headers);
  }

  async patch(path: string, body: unknown): Promise<any> {
    return this.#must('PATCH', path, body);
  }

  async get(path: string): Promise<any> {
    return this.#must('GET', path);
  }

  async #must(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<any> {
    const answer = await call(this.base, method, `/admin${path}`, { token: ADMIN_TOKEN, body, headers });
    if (answer.status >= 300)
      throw new Error(`${method} /admin${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }

  /** A partner with `balances.length` accounts, funded with the given amounts, and a key for the first. */
  async partner(balances: readonly string[], options: { class?: string; name?: string } = {}): Promise<TestPartner> {
    const taxNumber = nextCnpj();
    const partner = await this.post('/partners', { name: options.name ?? 'Loja Teste Ltda', taxNumber });
    const accounts: string[] = [];
    for (const [i, balance] of balances.entries()) {
      const account = await this.post(`/partners/${partner.uid}/accounts`, {
        name: `Conta ${i + 1}`,
        taxNumber,
        ...(options.class && { class: options.class }),
      });
      accounts.push(account.uid);
      if (balance !== '0.00') await this.post(`/accounts/${account.uid}/credits`, { amount: balance, reason: 'Teste' });
    }
    const credentials = await this.post(`/accounts/${accounts[0]}/access-keys`, {});
    return { uid: partner.uid, taxNumber, webhookSecret: partner.webhookSecret, accounts, credentials };
  }
}

export interface Credentials {
  readonly accessKey: string;
  readonly secret: string;
}

export interface TestPartner {
  readonly uid: string;
  readonly taxNumber: string;
  readonly webhookSecret: string;
  readonly accounts: readonly string[];
  readonly credentials: Credentials;
}

/** A partner's session: a token and the routes under it. */
export class PartnerApi {
  private constructor(
    readonly base: string,
    readonly token: string,
  ) {}

  static async login(base: string, credentials: Credentials): Promise<PartnerApi> {
    const answer = await call(base, 'POST', '/partners-int/login', { body: credentials });
    if (answer.status !== 200) throw new Error(`login: ${answer.status} ${JSON.stringify(answer.body)}`);
    return new PartnerApi(base, answer.body.data.token);
  }

  static withToken(base: string, token: string): PartnerApi {
    return new PartnerApi(base, token);
  }

  /** The same session on another instance. */
  on(base: string): PartnerApi {
    return new PartnerApi(base, this.token);
  }

  get(path: string): Promise<Answer> {
    return call(this.base, 'GET', `/partners-int${path}`, { token: this.token });
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return call(this.base, 'POST', `/partners-int${path}`, { token: this.token, body, headers });
  }

  transfer(to: string, amount: string, key?: string): Promise<Answer> {
    const headers = key === undefined ? undefined : { 'idempotency-key': key };
    return this.post('/accounts/transfer', { refAccountCredit: to, transferAmount: amount }, headers);
  }

  async balance(uid: string): Promise<{ available: string; held: string; blocked: string }> {
    return (await this.get(`/accounts/${uid}`)).body.data.balance;
  }
}

const MILLION = 1_000_000;
/** Drawn: files of one worker share its process and, some of them, a ledger that another file has made. */
const firstCompany = randomInt(MILLION * MILLION - MILLION);
let companies = 0;

/** A CNPJ with valid check digits, another one each time. */
export function nextCnpj(): string {
  companies += 1;
  return cnpjOf(String(firstCompany + companies).padStart(12, '0'));
}

/** The CNPJ that begins with twelve digits. */
export function cnpjOf(base: string): string {
  const digit = (text: string, weights: number[]) => {
    const rest = weights.reduce((sum, weight, i) => sum + weight * Number(text[i]), 0) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const first = digit(base, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
  return `${base}${first}${digit(`${base}${first}`, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])}`;
}
