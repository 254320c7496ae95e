import type { FastifyRequest } from 'fastify';
import { Forbidden } from '../../platform/errors/index.js';

/** Only a page of ours can send it: another site's script would need our leave (CORS), which nobody gets. */
export const CONSOLE_HEADER = 'x-console';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

type Asked = Pick<FastifyRequest, 'method' | 'headers'>;

/**
 * Requests that a browser authenticates by itself, with a cookie, must come from our own page. What only reads may
 * also be opened directly. What changes something needs a header that forms cannot send, and the browser's word on
 * where it comes from: `Sec-Fetch-Site` (Fetch Metadata), or `Origin` (RFC 6454, 7) where a browser does not send that.
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

/** Behind a proxy `Host` may be an inner name: then the page's origin is the public address. */
function isOurs(origin: string, host: string | undefined, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  return given.host === host || given.origin === new URL(publicUrl).origin;
}
