import type { Config } from '../config/index.js';

/**
 * Connections that wait to be accepted; the system may allow fewer (`net.core.somaxconn`). An event loop accepts one in
 * each of its turns. What the queue has no room for is dropped by the kernel, and tries again after 1, 3, 7 and 15 s:
 * with Node's 511 a pause of 0.4 s was enough for that, at 2,000 requests a second.
 */
const WAITING_CONNECTIONS = 4_096;

/**
 * Where a process listens. Of several workers each listens on the port itself, and the kernel gives each a part of the
 * connections: what waits at one that dies is closed, so that its client tries again. (Connections that the primary
 * would hand out could be lost there.) Where the system cannot share a port so, the primary hands them out.
 */
export function listening({ port, host }: Pick<Config, 'port' | 'host'>, isAlone: boolean) {
  const own = { port, host, backlog: WAITING_CONNECTIONS };
  return isAlone || process.platform !== 'linux' ? own : { ...own, exclusive: true, reusePort: true };
}
