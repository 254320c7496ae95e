import type { Config } from '../../platform/config/index.js';

/** Attributes of the session's cookie (RFC 6265bis): no script reads it, no other site's request carries it. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';

/**
 * `__Host-` makes the browser refuse a cookie of that name that is not `Secure`, or was set for a parent domain. Plain
 * http, in development only, supports neither.
 */
function nameIn({ production }: Pick<Config, 'production'>): string {
  return production ? '__Host-console' : 'console';
}

/** The session's token in a `Cookie` header, if there is one. */
export function readSessionCookie(header: string | undefined, config: Pick<Config, 'production'>): string | undefined {
  const name = `${nameIn(config)}=`;
  const pair = header?.split(';').find((one) => one.trim().startsWith(name));
  return pair?.trim().slice(name.length) || undefined;
}

/** @param seconds of its lifetime; 0 deletes it */
export function writeSessionCookie(token: string, seconds: number, config: Pick<Config, 'production'>): string {
  const secure = config.production ? '; Secure' : '';
  return `${nameIn(config)}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}${secure}`;
}
