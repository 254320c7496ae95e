import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import { TRACE_ID } from './pino-logger.js';
import type { Tracing } from './tracing/index.js';

/**
 * Measures and logs every request by route: refusals at `info`, 503 for overload or a database that is down included,
 * as there may be thousands a second; successes at `debug`, faults at `error`.
 */
export function observeRequests(
  fastify: FastifyInstance,
  registry: Registry,
  logger: Logger,
  { tracer }: Tracing,
): void {
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Duration of HTTP requests, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  fastify.addHook('onResponse', (request, reply, next) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    seconds.observe({ method, route, status }, reply.elapsedTime / 1000);
    const level = status >= 500 && status !== 503 ? 'error' : status >= 400 ? 'info' : 'debug';
    if (logger.isLevelEnabled(level)) {
      // Logged outside of the request's span, so the trace id is added here and not by the logger.
      const trace = tracer && { [TRACE_ID]: tracer.traceIdOf(request) };
      const ms = Math.round(reply.elapsedTime);
      logger[level]({ requestId: request.id, ...trace, method, route, status, ms }, 'request');
    }
    next();
  });
}
