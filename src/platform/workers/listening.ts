import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '../config/index.js';

/**
 * Connections that wait to be accepted; the system may allow fewer (`net.core.somaxconn`). An event loop accepts one in
 * each of its turns. What the queue has no room for is dropped by the kernel, and tries again after 1, 3, 7 and 15 s:
 * with Node's 511 a pause of 0.4 s was enough for that, at 2,000 requests a second.
 */
const WAITING_CONNECTIONS = 4_096;

/** Several processes listen on one port, and the kernel gives each a part of the connections. */
const SHARED = { exclusive: true, reusePort: true };
const CAN_SHARE = process.platform === 'linux';

/**
 * Where a process listens. Of several workers each listens on the port itself: what waits at one that dies is closed,
 * so that its client tries again. (Connections that the primary would hand out could be lost there.) Where the system
 * cannot share a port so, the primary hands them out.
 */
export function listening({ port, host }: Pick<Config, 'port' | 'host'>, isAlone: boolean) {
  const own = { port, host, backlog: WAITING_CONNECTIONS };
  return isAlone || !CAN_SHARE ? own : { ...own, ...SHARED };
}

/** Nobody can listen at the address that is set; the message says why. */
export class PortNotFree extends Error {}

/**
 * Before a start touches anything. Several workers would share a port with another service of this machine without a
 * word, each of the two with a part of the requests.
 * @throws PortNotFree
 */
export async function assertFree({ port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  const probe = createServer().listen({ port, host, exclusive: true });
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw notFree(error);
  }
  probe.close();
  await once(probe, 'close');
}

/** A port that is taken, or is only for others; else the host is none of this machine. */
function notFree(error: unknown): PortNotFree {
  const { code, message } = error as NodeJS.ErrnoException;
  const setting = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST';
  return new PortNotFree(`${setting}: ${message}`, { cause: error });
}

export interface HeldPort {
  readonly port: number;
  /** When the service listens there. */
  release(): void;
}

/**
 * A free port, which nobody else gets until it is released: it is in addresses that the service gives out. Where the
 * system cannot share a port, it is free again at once.
 * @throws PortNotFree
 */
export async function holdFreePort(host: string): Promise<HeldPort> {
  const holder = createServer().listen({ port: 0, host, ...(CAN_SHARE && SHARED) });
  try {
    await once(holder, 'listening');
  } catch (error) {
    throw notFree(error);
  }
  const { port } = holder.address() as AddressInfo;
  if (!CAN_SHARE) holder.close();
  return { port, release: () => void holder.close() };
}
