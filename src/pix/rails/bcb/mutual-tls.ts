import { Agent } from 'undici';
import type { ApiPixSettings } from '../../../platform/config/index.js';
import { retryAfterSeconds } from '../../../platform/outbound/retry-after.js';
import { RailUnavailable } from '../rail-errors.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For this attempt, from connecting to the last byte. */
  readonly timeoutMs: number;
  /** Default: that of look-ups. */
  readonly lane?: Lane;
}

export interface HttpAnswer {
  readonly status: number;
  /** Whole seconds that a `Retry-After` header asks for. */
  readonly retryAfter: number | undefined;
  /** The body as JSON; `undefined` where it is none. */
  readonly body: unknown;
}

/**
 * Connections of each kind of call: where the PSP does not answer one kind, the others do not wait for it. Every call
 * needs a token.
 */
const CONNECTIONS = { Tokens: 2, Charges: 96, Payouts: 64, Refunds: 128, LookUps: 64 } as const;
export type Lane = keyof typeof CONNECTIONS;

/** Of the connections of charges, for all partners and for one: some are left for charges that expire. */
export const CHARGES_AT_ONCE = { atOnce: 24, atOnceOfOne: 8 };
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * HTTP to the PSP over mutual TLS, as BCB's "Manual de Segurança do Pix" demands of the API Pix: TLS 1.2 or later, the
 * server's certificate is verified, and ours is sent. Every failure is a `RailUnavailable`.
 */
export class MutualTls {
  readonly #agents: ReadonlyMap<Lane, Agent>;

  constructor({
    clientCertificate: cert,
    clientKey: key,
    authorities: ca,
    timeoutMs,
  }: Pick<ApiPixSettings, 'clientCertificate' | 'clientKey' | 'authorities' | 'timeoutMs'>) {
    const agentOf = (connections: number) =>
      new Agent({
        connections,
        allowH2: false,
        maxResponseSize: MAX_ANSWER_BYTES,
        connect: { cert, key, ...(ca !== undefined && { ca }), minVersion: 'TLSv1.2', timeout: timeoutMs },
      });
    this.#agents = new Map(Object.entries(CONNECTIONS).map(([lane, most]) => [lane as Lane, agentOf(most)]));
  }

  /** One attempt. @throws RailUnavailable when no whole answer came in time */
  async request({ method, url, headers, body, timeoutMs, lane = 'LookUps' }: HttpRequest): Promise<HttpAnswer> {
    const { origin, pathname, search } = new URL(url);
    try {
      const answer = await this.#agents.get(lane)!.request({
        origin,
        path: pathname + search,
        method,
        headers: { accept: 'application/json, application/problem+json', ...headers },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.body.text();
      const retryAfter = retryAfterSeconds(answer.headers['retry-after'], Date.now());
      return { status: answer.statusCode, retryAfter, body: jsonOf(text) };
    } catch (error) {
      throw new RailUnavailable(`the PSP did not answer: ${(error as Error).message}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.close()));
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
