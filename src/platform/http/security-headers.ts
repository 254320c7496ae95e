import type { FastifyInstance, onRequestHookHandler } from 'fastify';

type Headers = Readonly<Record<string, string>>;

/**
 * What every answer tells browsers (OWASP REST Security Cheat Sheet, "Security Headers"): the API is JSON that no page
 * may show, frame, guess the type of, or keep. A route that serves something else says so itself, by `@Header` or, for
 * all below a path, by `headersBelow`.
 */
const EVERYWHERE: Headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** RFC 6797: a browser that was here once does not come by plain http for a year. */
const OVER_HTTPS: Headers = { 'strict-transport-security': 'max-age=31536000' };

/** The headers of every answer. @param publicUrl how the service is reached from outside */
export function securityHeaders(publicUrl: string): Headers {
  return publicUrl.startsWith('https:') ? { ...EVERYWHERE, ...OVER_HTTPS } : EVERYWHERE;
}

/**
 * Gives the routes at and below a path, which are added after this call, headers in place of those of every answer.
 * Pages need it: nothing may be loaded by what has the policy of the API.
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
