import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/index.js';
import { ValidationError } from '../errors/index.js';
import { paceAnonymous } from './anonymous-pace.js';
import { boundArrivals } from './arriving-bodies.js';
import { BODY_LIMIT } from './byte-budget.js';
import { Connections, HTTP_DEADLINES } from './connections.js';
import { withoutPorts } from './forwarded-for.js';
import { asKept } from './identifiers.js';
import { limitInFlight } from './in-flight-limit.js';
import { acceptOnlyJson } from './json-body.js';
import { answerConnect, answerExpectation, answerMalformed, notHttp } from './malformed-http.js';
import { requestIdOf } from './request-context.js';
import { RouteTable } from './route-table.js';
import { securityHeaders } from './security-headers.js';

/**
 * Browsers behind proxies send some thirty. Of Node's own thousand each request, and each head that does not end, takes
 * ten times its text.
 */
const MOST_HEADERS = 100;

type Settings = Pick<
  Config,
  | 'trustedProxies'
  | 'publicUrl'
  | 'mostRequests'
  | 'mostConnections'
  | 'mostConnectionsPerAddress'
  | 'anonymousPacePerSecond'
>;

/**
 * The HTTP server: JSON only, 64 KiB but where a route takes more, both spellings of a path, `x-request-id` on every
 * answer (decisions 1), and the security headers.
 * @param isCounted whether a guard let a request pass, and its answer with this status has a limit
 */
export function createHttpServer(
  settings: Settings,
  isCounted: (request: FastifyRequest, status: number) => boolean,
): { adapter: FastifyAdapter; routes: RouteTable } {
  const headers = securityHeaders(settings.publicUrl);
  const { trustedProxies, mostRequests } = settings;
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: (request: { headers: Record<string, unknown> }) => requestIdOf(request.headers),
    // The head of a request bounds a parameter: Node takes 16 KiB of it.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
    forceCloseConnections: 'idle',
    // Requests on open connections are served while the process stops; the answer closes the connection.
    return503OnClosing: false,
    // Deadlines from the first byte on, against slow or stalled requests. Node enforces the larger of the two, at this
    // interval.
    requestTimeout: HTTP_DEADLINES.request,
    http: {
      headersTimeout: HTTP_DEADLINES.head,
      connectionsCheckingInterval: HTTP_DEADLINES.exactness,
      // Node's own refusal of a request without Host has neither our body nor our headers.
      requireHostHeader: false,
    },
    connectionTimeout: HTTP_DEADLINES.look,
    // An undecodable path reaches no route, hook or filter.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      if (!connections.takes(request.raw, reply.raw)) return;
      const refusal = notHttp();
      void reply.headers(headers).header('x-request-id', request.id).status(refusal.status);
      inPace(request, reply, 0, () => void reply.send(refusal.body()));
    },
    clientErrorHandler: (error, socket) =>
      connections.afterAnswers(socket, () => answerMalformed(error, socket, headers)),
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.server.maxHeadersCount = MOST_HEADERS;
  if (trustedProxies.length > 0) fastify.server.prependListener('request', withoutPorts);
  const routes = new RouteTable();
  fastify.addHook('onRoute', (route) => {
    routes.add(route.method, route.url);
    const { bodyLimit } = (route.config ?? {}) as { bodyLimit?: number };
    if (bodyLimit !== undefined) route.bodyLimit = bodyLimit;
  });
  fastify.addHook('onRequest', (request, reply, next) => {
    void reply.headers(headers).header('x-request-id', request.id);
    next();
  });
  fastify.addHook('onRequest', ({ raw, params }, _reply, next) => {
    const named = params as Record<string, string>;
    for (const name in named) named[name] = asKept(named[name]!);
    next(hostFault(raw));
  });
  // Before the body is read: without a route the body does not matter (Fastify would refuse that of QUERY first). But
  // after `onRequest`: such requests are traced and logged too.
  fastify.addHook('preParsing', ({ is404, method, url, routeOptions }, _reply, _body, next) => {
    // `GET /accounts/transfer` is not the account `transfer`.
    const isAnother = is404 || (routeOptions.url!.includes(':') && routes.names(url));
    next(isAnother ? routes.refusal(method, url) : null);
  });
  const connections: Connections = new Connections(settings, fastify.server);
  fastify.server.on('checkExpectation', (request, response) => {
    if (connections.takes(request, response)) answerExpectation(request, response, headers);
  });
  fastify.server.on('connect', (_request, socket: Socket) => {
    // Node has handed it over: it neither reads it any more, nor ends it in time.
    socket.resume();
    socket.on('error', () => socket.destroy());
    const late = setTimeout(() => socket.destroy(), HTTP_DEADLINES.request);
    socket.once('close', () => clearTimeout(late));
    connections.afterAnswers(socket, () => answerConnect(socket, headers));
  });
  const waits = limitInFlight(fastify, mostRequests, connections);
  const inPace = paceAnonymous(fastify, settings.anonymousPacePerSecond, isCounted, waits);
  boundArrivals(fastify);
  acceptOnlyJson(fastify);
  return { adapter, routes };
}

/** RFC 9112, 3.2: one Host, and from HTTP/1.1 on always one. Two allow request smuggling past a proxy. */
function hostFault({ httpVersion, rawHeaders }: IncomingMessage): ValidationError | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  const message = 'must be there once';
  return new ValidationError([{ path: 'Host', code: hosts === 0 ? 'Required' : 'NotAllowed', message, info: {} }]);
}
