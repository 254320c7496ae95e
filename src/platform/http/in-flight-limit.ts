import type { FastifyInstance } from 'fastify';
import { Overloaded } from '../errors/index.js';

/** Those who ask how the process fares are answered whatever it has to do. */
const ALWAYS = /^\/(health|metrics)(\/|\?|$)/;

/**
 * Bounds how many requests are at work at once, and with them every queue behind: one beyond is answered 503 before its
 * body is read. Register it before everything else.
 * @param most requests at once
 */
export function limitInFlight(fastify: FastifyInstance, most: number): void {
  let inFlight = 0;
  fastify.addHook('onRequest', (request, reply, next) => {
    if (ALWAYS.test(request.url)) return next();
    if (inFlight >= most) {
      const error = new Overloaded('Too many requests are under way. Nothing was done.');
      void reply.status(error.status).header('retry-after', error.retryAfterSeconds).send(error.body());
      return;
    }
    inFlight += 1;
    // Not the hook `onResponse`, which does not come for a caller that has gone away.
    reply.raw.once('close', () => (inFlight -= 1));
    next();
  });
}
