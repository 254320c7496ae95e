import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Overloaded } from '../errors/index.js';
import type { Connections } from './connections.js';
import { OPERATIONS } from './operations-only.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** While it is in progress. */
    endsProgress: (() => void) | undefined;
  }
}

/** Of a stream so much is in memory. */
const READ_AHEAD = 64 * 1024;

/**
 * Limits the requests in progress, and with them every queue behind: further ones are answered 503, before their body
 * is read if possible. Probes and scrapes are answered at any load. A request counts once it has arrived completely:
 * one whose body never arrives harms nobody. It counts until its answer is given: answers that wait to be read have
 * bounds of their own. A stream of unknown length is in progress until its end; its routes bound how many there are.
 * Register it before everything else.
 * @param most requests in progress
 * @param connections informed which of them have a request in progress, and of the answers
 * @returns a function to call when an answer is given that will be sent later
 */
export function limitInFlight(
  fastify: FastifyInstance,
  most: number,
  connections: Connections,
): (request: FastifyRequest, reply: FastifyReply, bytes: number) => void {
  let inFlight = 0;
  fastify.decorateRequest('endsProgress', undefined);
  const end = (request: FastifyRequest) => {
    request.endsProgress?.();
    request.endsProgress = undefined;
  };
  const waits = (request: FastifyRequest, reply: FastifyReply, bytes: number) => {
    connections.given(request.raw, reply.raw, bytes);
    // It waits with its reply, for as long as the answers before it: what was parsed is many times its text.
    request.body = undefined;
    end(request);
  };
  const refuse: onRequestHookHandler = (request, reply, next) => {
    if (inFlight < most || OPERATIONS.has(request.routeOptions.url)) return next();
    const error = new Overloaded('Too many requests are under way. Nothing was done.');
    void reply.status(error.status).header('retry-after', error.retryAfterSeconds).send(error.body());
  };
  fastify.addHook('onRequest', (request, reply, next) => {
    if (connections.takes(request.raw, reply.raw)) refuse.call(fastify, request, reply, next);
  });
  fastify.addHook('preValidation', (request, reply, next) => {
    // The caller has disconnected meanwhile: its `close` is over, and nobody would count the request's end.
    if (reply.raw.destroyed) return;
    const counts = OPERATIONS.has(request.routeOptions.url) ? 0 : 1;
    if (counts === 1 && inFlight >= most) return refuse.call(fastify, request, reply, next);
    inFlight += counts;
    const idle = connections.begin(request.raw.socket);
    request.endsProgress = () => {
      inFlight -= counts;
      idle();
    };
    // Not the hook `onResponse`, which is not called when the caller has disconnected.
    reply.raw.once('close', () => end(request));
    // It has been written: of nearly all the kernel has taken everything, and they are over.
    reply.raw.once('prefinish', () => {
      const unread = request.raw.socket.writableLength;
      if (unread > 0) waits(request, reply, unread);
    });
    next();
  });
  fastify.addHook('onSend', (request, reply, payload, next) => {
    const length = heldBackLength(reply, payload);
    if (length !== undefined) waits(request, reply, length);
    next(null, payload);
  });
  return waits;
}

/** Of an answer that is not written at once: a stream with a length, or one behind another of its connection. */
function heldBackLength(reply: FastifyReply, payload: unknown): number | undefined {
  if (payload && typeof payload === 'object' && !Buffer.isBuffer(payload)) {
    return reply.hasHeader('content-length') ? READ_AHEAD : undefined;
  }
  return reply.raw.socket === null ? ((payload as string | Buffer | null | undefined)?.length ?? 0) : undefined;
}
