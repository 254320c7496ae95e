import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Overloaded } from '../errors/index.js';
import type { Connections } from './connections.js';

/** Probes and scrapes are answered at any load. */
const ALWAYS = /^\/(health|metrics)(\/|\?|$)/;

/**
 * Limits the requests in progress, and with them every queue behind: further ones are answered 503, before their body
 * is read if possible. A request counts once it has arrived completely: one whose body never arrives harms nobody.
 * Register it before everything else.
 * @param most requests in progress
 * @param connections informed which of them have a request in progress
 */
export function limitInFlight(fastify: FastifyInstance, most: number, connections: Connections): void {
  let inFlight = 0;
  const refuse: onRequestHookHandler = (request, reply, next) => {
    if (inFlight < most || ALWAYS.test(request.url)) return next();
    const error = new Overloaded('Too many requests are under way. Nothing was done.');
    void reply.status(error.status).header('retry-after', error.retryAfterSeconds).send(error.body());
  };
  fastify.addHook('onRequest', (request, reply, next) => {
    if (connections.takes(request.raw, reply.raw)) refuse.call(fastify, request, reply, next);
  });
  fastify.addHook('preValidation', (request, reply, next) => {
    // The caller has disconnected meanwhile: its `close` is over, and nobody would count the request's end.
    if (reply.raw.destroyed) return;
    const counts = ALWAYS.test(request.url) ? 0 : 1;
    if (counts === 1 && inFlight >= most) return refuse.call(fastify, request, reply, next);
    inFlight += counts;
    const end = connections.begin(request.raw.socket);
    // Not the hook `onResponse`, which is not called when the caller has disconnected.
    reply.raw.once('close', () => {
      inFlight -= counts;
      end();
    });
    next();
  });
}
