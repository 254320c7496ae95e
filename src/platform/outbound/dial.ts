import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  type AddressPolicy,
  isAllowedAddress,
  isLoopbackName,
  LOOPBACK_ADDRESSES,
  type OutboundProtocol,
} from './address-policy.js';
import { AttemptFailed, errorDetail, SenderClosed } from './attempt-error.js';
import type { ResolveHost } from './resolve-host.js';

export interface DialTarget {
  readonly protocol: OutboundProtocol;
  /** A name, or a literal address without brackets. */
  readonly hostname: string;
  readonly port: number;
}

export interface DialOptions {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveHost;
  /** Milliseconds for DNS, TCP and TLS of all addresses together. */
  readonly connectTimeoutMs: number;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string;
  /** Aborted when the sender closes. */
  readonly signal: AbortSignal;
}

const MAX_ADDRESSES = 8;

/**
 * Opens a connection to a host from outside (a webhook's, a charge's). The name is resolved here, once; every address
 * must be allowed; and only a checked address is dialled, never the name, so that DNS rebinding gains nothing. Literal
 * addresses are checked here too: a lookup hook never sees them. If an address is unreachable, the next one is tried.
 * SNI and the certificate check use the name.
 * @throws AttemptFailed, SenderClosed
 */
export async function dial(target: DialTarget, options: DialOptions): Promise<Socket> {
  const deadline = performance.now() + options.connectTimeoutMs;
  const addresses = await before(deadline, options.signal, checkedAddresses(target, options));
  let failure = new AttemptFailed('NameNotResolved', `${target.hostname}: no address`);
  for (const [index, address] of addresses.entries()) {
    // An address that never answers leaves time for the others.
    const share = (deadline - performance.now()) / (addresses.length - index);
    try {
      return await openSocket(address, target, Math.max(share, 1), options);
    } catch (error) {
      if (!(error instanceof AttemptFailed) || error.code === 'TlsFailed') throw error;
      failure = error;
    }
  }
  throw failure;
}

async function checkedAddresses(target: DialTarget, { policy, resolve }: DialOptions): Promise<readonly string[]> {
  const { hostname, protocol } = target;
  const isAllowed = (ip: string) => isAllowedAddress(ip, policy, protocol);
  if (isIP(hostname) !== 0) {
    if (isAllowed(hostname)) return [hostname];
    throw new AttemptFailed('AddressNotAllowed', `${protocol} to ${hostname}`);
  }
  if (isLoopbackName(hostname)) {
    const loopback = LOOPBACK_ADDRESSES.filter(isAllowed);
    if (loopback.length > 0) return loopback;
    throw new AttemptFailed('AddressNotAllowed', `${protocol} to ${hostname}`);
  }
  const answers = await resolve(hostname).catch((error: unknown) => {
    throw new AttemptFailed('NameNotResolved', `${hostname}: ${errorDetail(error)}`);
  });
  const refused = answers.filter((ip) => !isAllowed(ip));
  if (refused.length > 0) {
    throw new AttemptFailed('NameNotResolved', `${protocol} to ${hostname}: ${refused.join(', ')} not allowed`);
  }
  return [...new Set(answers)].slice(0, MAX_ADDRESSES);
}

function openSocket(address: string, target: DialTarget, timeoutMs: number, options: DialOptions): Promise<Socket> {
  const { hostname, port, protocol } = target;
  const secure = protocol === 'https:';
  return new Promise((resolve, reject) => {
    let phase: 'TCP' | 'TLS' = 'TCP';
    const socket = secure
      ? connectTls({
          host: address,
          port,
          // SNI carries names only (RFC 6066 3); a literal's certificate is checked against the address dialled.
          ...(isIP(hostname) === 0 && { servername: hostname }),
          ...(options.ca !== undefined && { ca: options.ca }),
          ALPNProtocols: ['http/1.1'],
          minVersion: 'TLSv1.2',
          rejectUnauthorized: true,
        })
      : connectTcp({ host: address, port });
    const fail = (error: Error) => {
      settle();
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const onError = (error: Error) => {
      const code = phase === 'TLS' ? 'TlsFailed' : 'ConnectionFailed';
      fail(new AttemptFailed(code, `${phase} to ${address}:${port}: ${errorDetail(error)}`));
    };
    const onAbort = () => fail(new SenderClosed());
    const timer = setTimeout(
      () => fail(new AttemptFailed('Timeout', `${phase} to ${address}:${port}: ${Math.round(timeoutMs)} ms`)),
      timeoutMs,
    );
    const settle = () => {
      clearTimeout(timer);
      socket.off('error', onError);
      options.signal.removeEventListener('abort', onAbort);
    };
    socket.setNoDelay(true);
    socket.on('error', onError);
    socket.once('connect', () => (phase = 'TLS'));
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      settle();
      resolve(socket);
    });
    options.signal.addEventListener('abort', onAbort);
    if (options.signal.aborted) onAbort();
  });
}

/** The promise's outcome, unless the deadline (of `performance.now()`) or the abort signal comes first. */
async function before<T>(deadline: number, signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    const onAbort = () => reject(new SenderClosed());
    const timer = setTimeout(() => reject(new AttemptFailed('Timeout', 'DNS')), deadline - performance.now());
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  return Promise.race([promise, ended]).finally(stop);
}
