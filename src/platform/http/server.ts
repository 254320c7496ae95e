import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/index.js';
import { limitInFlight } from './in-flight-limit.js';
import { acceptOnlyJson } from './json-body.js';
import { answerMalformed, notHttp } from './malformed-http.js';
import { requestIdOf } from './request-context.js';
import { RouteTable } from './route-table.js';
import { securityHeaders } from './security-headers.js';

const BODY_LIMIT = 64 * 1024;

type Settings = Pick<Config, 'trustedProxies' | 'publicUrl' | 'mostRequests'>;

/**
 * The HTTP server: JSON only, 64 KiB, both spellings of a path, `x-request-id` on every answer (decisions 1), and the
 * security headers.
 */
export function createHttpServer(settings: Settings): { adapter: FastifyAdapter; routes: RouteTable } {
  const headers = securityHeaders(settings.publicUrl);
  const { trustedProxies, mostRequests } = settings;
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: (request: { headers: Record<string, unknown> }) => requestIdOf(request.headers),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    forceCloseConnections: 'idle',
    // What comes in on an open connection while the process stops is carried out; the answer closes the connection.
    return503OnClosing: false,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    // A path that cannot be decoded: no route, no hook and no filter sees it.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const refusal = notHttp();
      void reply.headers(headers).header('x-request-id', request.id).status(refusal.status).send(refusal.body());
    },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, headers),
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const routes = new RouteTable();
  fastify.addHook('onRoute', ({ method, url }) => routes.add(method, url));
  fastify.addHook('onRequest', (request, reply, next) => {
    void reply.headers(headers).header('x-request-id', request.id);
    next();
  });
  limitInFlight(fastify, mostRequests);
  acceptOnlyJson(fastify);
  return { adapter, routes };
}
