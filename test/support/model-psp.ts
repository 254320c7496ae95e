import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { PSP_KEY, PspBooks, type PspAnswer } from './model-psp-books.js';
import { ApiPixContract } from './api-pix-contract.js';
import type { TestAuthority } from './certificates.js';
import { listenOnLoopback } from './loopback.js';

export const CLIENT = { id: 'partner payments', secret: 'a secret: of the client' };
export const NOTIFICATIONS_TOKEN = 'a-token-of-the-notifications-address-1234';

/**
 * What happens to a request in place of an answer; `kind`: the name of the error; `bare`: a proxy answers, without a
 * body; `answer lost`: it is carried out, and the connection breaks.
 */
export type PspFault =
  | { readonly status: number; readonly kind?: string; readonly retryAfter?: number; readonly bare?: true }
  | 'hang'
  | 'answer lost';

export interface PspRequest {
  readonly method: string;
  /** Under the API's base address, with its query; `/oauth/token` for tokens. */
  readonly path: string;
  readonly body: any;
  readonly status: number;
}

/**
 * A PSP with the central bank's API Pix: a real TLS server that demands a client certificate, gives tokens, and keeps
 * books. Every exchange is held against the published document where that is there.
 */
export class ModelPsp {
  readonly books = new PspBooks();
  readonly requests: PspRequest[] = [];
  readonly contract = ApiPixContract.load();
  /** What the published document does not allow, in so many exchanges. */
  readonly violations: string[] = [];
  judged = 0;
  /** Seconds. */
  tokenLife = 3_600;
  tokensGiven = 0;
  /** Runs when a request has been carried out, before it is answered. */
  beforeAnswer: ((method: string, path: string) => Promise<void>) | undefined;
  readonly #faults: { readonly fault: PspFault; readonly matches: (line: string) => boolean }[] = [];
  readonly #tokens = new Map<string, number>();
  #instead: { readonly pattern: RegExp; readonly body: (own: any) => unknown } | undefined;

  private constructor(
    readonly port: number,
    readonly close: () => Promise<void>,
  ) {}

  /** @param authority signs the server's certificate, and those of clients that are let in */
  static async start(authority: TestAuthority): Promise<ModelPsp> {
    const open: { psp?: ModelPsp } = {};
    const server = createServer(
      { ...authority.issue('127.0.0.1'), ca: authority.cert, requestCert: true, rejectUnauthorized: true },
      (request, response) => void open.psp!.#serve(request, response),
    );
    const { port, close } = await listenOnLoopback(server);
    open.psp = new ModelPsp(port, close);
    return open.psp;
  }

  get baseUrl(): string {
    return `https://127.0.0.1:${this.port}/api/v2`;
  }

  get tokenUrl(): string {
    return `https://127.0.0.1:${this.port}/oauth/token`;
  }

  /** The next requests, of those whose `METHOD path` fits, end so; one each. */
  failNext(pattern: RegExp, ...faults: PspFault[]): void {
    for (const fault of faults) this.#faults.push({ fault, matches: (line) => pattern.test(line) });
  }

  /** Faults that were announced and did not come. */
  forgetFaults(): void {
    this.#faults.length = 0;
  }

  /** Access tokens that are good for something. */
  get tokens(): string[] {
    return [...this.#tokens.keys()];
  }

  revokeTokens(): void {
    this.#tokens.clear();
  }

  /** From now on the body of its answers to requests whose `METHOD path` fits is another one; without any, its own. */
  answersInstead(pattern?: RegExp, body?: (own: any) => unknown): void {
    this.#instead = pattern && { pattern, body: body! };
  }

  /** Requests whose `METHOD path` fits. */
  asked(pattern: RegExp): PspRequest[] {
    return this.requests.filter(({ method, path }) => pattern.test(`${method} ${path}`));
  }

  /** Calls the address that was registered, at the service's own port; `/pix` is added as the standard says. */
  async notify(service: string, endToEndIds: readonly string[]): Promise<number> {
    const body = { pix: endToEndIds.map((id) => this.books.pix.get(id)!) };
    this.violations.push(...(this.contract?.notificationViolations(JSON.parse(JSON.stringify(body))) ?? []));
    const { pathname } = new URL(this.books.webhookUrl!);
    const answer = await fetch(`${service}${pathname}/pix`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const method = request.method!;
    const isToken = request.url === '/oauth/token';
    const path = isToken ? '/oauth/token' : request.url!.replace(/^\/api\/v2/, '');
    const at = this.#faults.findIndex(({ matches }) => matches(`${method} ${path}`));
    const fault = at < 0 ? undefined : this.#faults.splice(at, 1)[0]!.fault;
    const body: unknown = text === '' ? undefined : isToken ? text : JSON.parse(text);
    const carriedOut =
      fault === undefined || fault === 'answer lost'
        ? isToken
          ? this.#token(request, text)
          : this.#api(request, method, path, body)
        : undefined;
    if (carriedOut) await this.beforeAnswer?.(method, path);
    const isBare = typeof fault === 'object' && fault.bare;
    const answer: PspAnswer | undefined = isBare
      ? { status: fault.status }
      : inItsOwnWords(typeof fault === 'object' ? problem(fault.status, fault.kind) : carriedOut, request, text);
    this.requests.push({ method, path, body, status: fault === undefined ? answer!.status : 0 });
    if (fault === 'hang') return;
    if (fault === 'answer lost') return void response.destroy();
    const contentType = answer!.status < 400 ? 'application/json' : 'application/problem+json';
    const isInstead = this.#isInstead(method, path) && answer!.status < 400;
    if (!isToken && !isBare && !isInstead) this.#check(method, path, body, answer!, contentType);
    response.writeHead(answer!.status, {
      ...(answer!.body !== undefined && { 'content-type': contentType }),
      ...(typeof fault === 'object' && fault.retryAfter !== undefined && { 'retry-after': String(fault.retryAfter) }),
    });
    const said = isInstead ? this.#instead!.body(answer!.body) : answer!.body;
    response.end(said === undefined ? undefined : JSON.stringify(said));
  }

  #check(method: string, path: string, requestBody: unknown, { status, body }: PspAnswer, type: string): void {
    // Statuses that stand for trouble outside of the API's own words: the document does not list them.
    if (!this.contract || status === 401 || status === 429 || status === 500) return;
    const answerBody: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
    const contentType = body === undefined ? undefined : type;
    this.judged += 1;
    this.violations.push(...this.contract.violations({ method, path, requestBody, status, contentType, answerBody }));
  }

  /** RFC 6749, 4.4. */
  #token(request: IncomingMessage, text: string): PspAnswer {
    const encoded = (one: string) => new URLSearchParams({ _: one }).toString().slice(2);
    const basic = Buffer.from(`${encoded(CLIENT.id)}:${encoded(CLIENT.secret)}`).toString('base64');
    const form = new URLSearchParams(text);
    if (request.headers.authorization !== `Basic ${basic}`) return { status: 401, body: { error: 'invalid_client' } };
    if (form.get('grant_type') !== 'client_credentials') {
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    }
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(token, Date.now() + this.tokenLife * 1000);
    this.tokensGiven += 1;
    const scope = form.get('scope');
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: this.tokenLife, scope } };
  }

  #api(request: IncomingMessage, method: string, path: string, body: unknown): PspAnswer {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if ((this.#tokens.get(token) ?? 0) <= Date.now()) return problem(401);
    return this.books.handle(method, path, body);
  }

  /** What the test has it say is no answer of the API Pix: it is not held against the document. */
  #isInstead(method: string, path: string): boolean {
    return this.#instead?.pattern.test(`${method} ${path}`) ?? false;
  }
}

/** Settings of a service whose rail it is. @param client whose authority has issued the service's certificate */
export function bcbSettings(psp: ModelPsp, authority: TestAuthority, client = authority): Record<string, string> {
  const { cert, key } = client.issue('partner-payments');
  return {
    PIX_RAIL: 'bcb',
    PIX_KEY: PSP_KEY,
    PUBLIC_URL: 'https://pay.example.com',
    BCB_BASE_URL: psp.baseUrl,
    BCB_TOKEN_URL: psp.tokenUrl,
    BCB_CLIENT_ID: CLIENT.id,
    BCB_CLIENT_SECRET: CLIENT.secret,
    BCB_CLIENT_CERT: cert,
    BCB_CLIENT_KEY: key,
    BCB_CA: authority.cert,
    BCB_WEBHOOK_TOKEN: NOTIFICATIONS_TOKEN,
  };
}

/** What a PSP writes freely may repeat all that it was sent. */
function inItsOwnWords(answer: PspAnswer | undefined, { url, headers }: IncomingMessage, text: string) {
  if (answer === undefined || answer.status < 400) return answer;
  const detail = `${url} ${headers.authorization} ${text}`;
  const violacoes = [{ razao: detail, propriedade: 'corpo' }];
  const own = url === '/oauth/token' ? { error: detail } : { title: detail, detail, violacoes };
  return { ...answer, body: { ...(answer.body as object), ...own } };
}

function problem(status: number, kind = status === 503 ? 'ServicoIndisponivel' : 'Falha'): PspAnswer {
  const type = `https://pix.bcb.gov.br/api/v2/error/${kind}`;
  return { status, body: { type, title: 'Falha', status } };
}
