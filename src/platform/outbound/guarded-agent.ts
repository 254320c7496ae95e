import { Agent, Pool } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import { dial } from './dial.js';
import { dnsResolver, type ResolveHost } from './resolve-host.js';

export interface GuardedAgentOptions {
  readonly policy: AddressPolicy;
  /** Concurrent connections to one origin. Default: as many as there are concurrent requests. */
  readonly connectionsPerOrigin?: number;
  /** Milliseconds for DNS, TCP and TLS together. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds after which a connection is not reused: a name may move. Default 30,000. */
  readonly connectionLifeMs?: number;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  readonly resolve?: ResolveHost;
}

// Many servers close an idle connection after 5 s; a request sent during that close would fail the attempt.
const IDLE_MS = 4_000;
const IDLE_AS_ANNOUNCED_MS = 20_000;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * An HTTP client that connects only to allowed addresses, by {@link dial}. The guard is in the connector, so no request
 * bypasses it. It follows no redirects.
 */
export class GuardedAgent {
  readonly policy: AddressPolicy;
  readonly dispatcher: Agent;
  readonly #closing = new AbortController();

  constructor(options: GuardedAgentOptions) {
    this.policy = options.policy;
    const dialling = {
      policy: options.policy,
      resolve: options.resolve ?? dnsResolver(),
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      ca: options.ca,
      signal: this.#closing.signal,
    };
    this.dispatcher = new Agent({
      // undici's own factory uses no Pool, and so no `clientTtl`, for a single connection.
      factory: (origin, poolOptions) => new Pool(origin, poolOptions),
      connections: options.connectionsPerOrigin ?? null,
      clientTtl: options.connectionLifeMs ?? 30_000,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_AS_ANNOUNCED_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining: 1,
      allowH2: false,
      // The sender's deadline covers the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: ({ hostname, port, protocol }, callback) => {
        const secure = protocol === 'https:';
        const target = {
          protocol: secure ? ('https:' as const) : ('http:' as const),
          hostname,
          port: port === '' ? (secure ? 443 : 80) : Number(port),
        };
        dial(target, dialling).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
    });
  }

  /** Refuses new requests and waits for those under way. */
  async close(): Promise<void> {
    await this.dispatcher.close();
    this.#closing.abort();
  }

  /** Ends everything at once; attempts under way reject with `SenderClosed`. */
  async destroy(): Promise<void> {
    this.#closing.abort();
    await this.dispatcher.destroy();
  }
}
