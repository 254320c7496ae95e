import type { FastifyRequest } from 'fastify';
import { Forbidden } from '../../platform/errors/index.js';

/** Only our own page can send it: another site's script would need permission by CORS, which is never given. */
const CONSOLE_HEADER = 'x-console';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

type Asked = Pick<FastifyRequest, 'method' | 'headers'>;

/**
 * Requests that a browser authenticates by a cookie must come from our own page. Safe methods may also be opened
 * directly. Others need a header that forms cannot send, and the browser's statement of the origin: `Sec-Fetch-Site`
 * (Fetch Metadata), or `Origin` (RFC 6454, 7) where a browser does not send that.
 * @throws Forbidden
 */
export function assertFromConsole({ method, headers }: Asked, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  if (SAFE.has(method)) {
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Forbidden();
    return;
  }
  if (headers[CONSOLE_HEADER] === undefined) throw new Forbidden();
  if (site !== undefined && site !== 'same-origin') throw new Forbidden();
  if (headers.origin !== undefined && !isOurs(headers.origin, headers.host, publicUrl)) throw new Forbidden();
  if (site === undefined && headers.origin === undefined) throw new Forbidden();
}

/** Behind a proxy `Host` may be an internal name: then the page's origin is the public URL. */
function isOurs(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  return given.host === host || given.origin === new URL(publicUrl).origin;
}
