import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';

/** Measures every request by route and logs it: refusals at `info`, successes at `debug`, faults at `error`. */
export function observeRequests(fastify: FastifyInstance, registry: Registry, logger: Logger): void {
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time from a request to its answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  fastify.addHook('onResponse', (request, reply, next) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    seconds.observe({ method, route, status }, reply.elapsedTime / 1000);
    const level = status >= 500 ? 'error' : status >= 400 ? 'info' : 'debug';
    if (logger.isLevelEnabled(level)) {
      logger[level]({ requestId: request.id, method, route, status, ms: Math.round(reply.elapsedTime) }, 'request');
    }
    next();
  });
}
