import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { Overloaded } from '../errors/index.js';
import type { Connections } from './connections.js';

/** Those who ask how the process fares are answered whatever it has to do. */
const ALWAYS = /^\/(health|metrics)(\/|\?|$)/;

/**
 * Bounds how many requests are at work at once, and with them every queue behind: one beyond is answered 503, before its
 * body is read where that is known then. A request counts from the moment at which it is whole: one whose body never
 * comes is in nobody's way. Register it before everything else.
 * @param most requests at once
 * @param connections told which of them have a request at work
 */
export function limitInFlight(fastify: FastifyInstance, most: number, connections: Connections): void {
  let inFlight = 0;
  const refuse: onRequestHookHandler = (request, reply, next) => {
    if (inFlight < most || ALWAYS.test(request.url)) return next();
    const error = new Overloaded('Too many requests are under way. Nothing was done.');
    void reply.status(error.status).header('retry-after', error.retryAfterSeconds).send(error.body());
  };
  fastify.addHook('onRequest', refuse);
  fastify.addHook('preValidation', (request, reply, next) => {
    const counts = ALWAYS.test(request.url) ? 0 : 1;
    if (counts === 1 && inFlight >= most) return refuse.call(fastify, request, reply, next);
    inFlight += counts;
    const end = connections.begin(request.raw.socket);
    // Not the hook `onResponse`, which does not come for a caller that has gone away.
    reply.raw.once('close', () => {
      inFlight -= counts;
      end();
    });
    next();
  });
}
