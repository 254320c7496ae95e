import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { requestIdOf } from './request-context.js';
import { RouteTable } from './route-table.js';

const BODY_LIMIT = 64 * 1024;

/** The HTTP server: JSON only, 64 KiB, both spellings of a path, `x-request-id` on every answer (decisions 1). */
export function createHttpServer(trustedProxies: readonly string[]): { adapter: FastifyAdapter; routes: RouteTable } {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: (request: { headers: Record<string, unknown> }) => requestIdOf(request.headers),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    forceCloseConnections: 'idle',
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const routes = new RouteTable();
  fastify.addHook('onRoute', ({ method, url }) => routes.add(method, url));
  fastify.addHook('onRequest', (request, reply, next) => {
    void reply.header('x-request-id', request.id);
    next();
  });

  // An empty body is no fault of JSON: routes without a body are called with the JSON headers too. Half a surrogate
  // pair is one: it is no character, so it can be neither compared nor stored as UTF-8.
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, parsed) => {
    if (body.length === 0) parsed(null, undefined);
    else if (hasLoneSurrogate(body as string)) parsed(new SyntaxError('a lone surrogate'), undefined);
    else void parseJson(request, body as string, parsed);
  });
  return { adapter, routes };
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
const LONE_ESCAPE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** `JSON.stringify` writes only surrogates without a partner as escapes. Bodies without any escape cost one scan. */
function hasLoneSurrogate(json: string): boolean {
  if (!SURROGATE_ESCAPE.test(json)) return false;
  try {
    return LONE_ESCAPE.test(JSON.stringify(JSON.parse(json)));
  } catch {
    return false;
  }
}
