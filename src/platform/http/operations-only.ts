import type { FastifyInstance } from 'fastify';
import { RouteNotFound } from '../errors/index.js';

/** Routes of probes and scrapes. */
export const OPERATIONS: ReadonlySet<string | undefined> = new Set(['/health/live', '/health/ready', '/metrics']);

/** `ROLE=worker`: every other route is answered as not found. */
export function serveOnlyOperations(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, next) => {
    if (OPERATIONS.has(request.routeOptions.url)) next();
    else next(new RouteNotFound('This process is a worker: it serves /health and /metrics only.'));
  });
}
