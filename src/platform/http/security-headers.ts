import type { FastifyInstance, onRequestHookHandler } from 'fastify';

type Headers = Readonly<Record<string, string>>;

/**
 * Security headers of every answer (OWASP REST Security Cheat Sheet, "Security Headers"): the API is JSON that no page
 * may render, frame, sniff or cache. A route that serves something else overrides them by `@Header` or, for all below a
 * path, by `headersBelow`.
 */
const EVERYWHERE: Headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** HSTS (RFC 6797), for a year. */
const OVER_HTTPS: Headers = { 'strict-transport-security': 'max-age=31536000' };

/** The headers of every answer. @param publicUrl the service's public URL */
export function securityHeaders(publicUrl: string): Headers {
  return publicUrl.startsWith('https:') ? { ...EVERYWHERE, ...OVER_HTTPS } : EVERYWHERE;
}

/**
 * Overrides the headers of routes at and below a path. Call it before the routes are added. Pages need it: the API's
 * policy lets them load nothing.
 */
export function headersBelow(fastify: FastifyInstance, path: string, headers: Headers): void {
  headersOf(fastify, (url) => url === path || url.startsWith(`${path}/`), headers);
}

/** The same for the routes whose path is covered. */
export function headersOf(fastify: FastifyInstance, covers: (url: string) => boolean, headers: Headers): void {
  const replace: onRequestHookHandler = (_request, reply, next) => {
    void reply.headers(headers);
    next();
  };
  fastify.addHook('onRoute', (route) => {
    if (!covers(route.url)) return;
    route.onRequest = [...[route.onRequest ?? []].flat(), replace];
  });
}
