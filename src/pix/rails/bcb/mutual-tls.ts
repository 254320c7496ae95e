import { Agent } from 'undici';
import type { ApiPixSettings } from '../../../platform/config/index.js';
import { retryAfterSeconds } from '../../../platform/outbound/retry-after.js';
import { RailUnavailable } from '../pix-rail.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For this attempt, from connecting to the last byte. */
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** Whole seconds that a `Retry-After` header asks for. */
  readonly retryAfter: number | undefined;
  /** The body as JSON; `undefined` where it is none. */
  readonly body: unknown;
}

const CONNECTIONS = 64;
/** Of the connections, for all partners and for one. Expiring charges take 32 at most: some are left for payouts. */
export const CHARGES_AT_ONCE = { atOnce: 24, atOnceOfOne: 8 };
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * HTTP to the PSP over mutual TLS, as BCB's "Manual de Segurança do Pix" demands of the API Pix: TLS 1.2 or later, the
 * server's certificate is verified, and ours is sent. Every failure is a `RailUnavailable`.
 */
export class MutualTls {
  readonly #agent: Agent;

  constructor({
    clientCertificate: cert,
    clientKey: key,
    authorities: ca,
    timeoutMs,
  }: Pick<ApiPixSettings, 'clientCertificate' | 'clientKey' | 'authorities' | 'timeoutMs'>) {
    this.#agent = new Agent({
      connections: CONNECTIONS,
      allowH2: false,
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: { cert, key, ...(ca !== undefined && { ca }), minVersion: 'TLSv1.2', timeout: timeoutMs },
    });
  }

  /** One attempt. @throws RailUnavailable when no whole answer came in time */
  async request({ method, url, headers, body, timeoutMs }: HttpRequest): Promise<HttpAnswer> {
    const { origin, pathname, search } = new URL(url);
    try {
      const answer = await this.#agent.request({
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

  close(): Promise<void> {
    return this.#agent.close();
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
