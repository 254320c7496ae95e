import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { networkOf } from './network-of.js';

/** Longer than that no refusal waits: it holds a connection, and what was parsed of its request. */
const LONGEST_MS = 5_000;
const NETWORKS = 50_000;

/** Refusals of one network: a burst of a second's, then one after the other. */
export class RefusalPace {
  /** When the last of each is due, by `performance.now()`; a moment that has passed is as good as none. */
  readonly #due = new LRUCache<string, number>({ maxSize: NETWORKS, sizeCalculation: () => 1 });

  constructor(private readonly perSecond: number) {}

  /** Counts one. @returns milliseconds for which it waits */
  wait(network: string, now = performance.now()): number {
    const free = Math.max(this.#due.get(network) ?? 0, now - 1_000);
    const due = Math.min(free + 1_000 / this.perSecond, now + LONGEST_MS);
    this.#due.set(network, due);
    return Math.max(0, due - now);
  }
}

/**
 * Refusals of callers who are not known, or whose key has used up its limit, go out at a pace: a client that tries again
 * without a pause has its next answer later, and others have the processor meanwhile. Nothing else waits.
 * @param perSecond of one network; 0 is no pace
 * @param isAuthenticated whether a guard let the request pass: it is counted by limits of its own
 * @param waits called when an answer is given that will be sent later
 */
export function paceRefusals(
  fastify: FastifyInstance,
  perSecond: number,
  isAuthenticated: (request: FastifyRequest) => boolean,
  waits: (request: FastifyRequest, reply: FastifyReply, bytes: number) => void,
): void {
  if (perSecond === 0) return;
  const pace = new RefusalPace(perSecond);
  const waiting = new Map<NodeJS.Timeout, () => void>();
  let isStopping = false;
  fastify.addHook('onSend', (request, reply, payload, next) => {
    const isRefusal = reply.statusCode >= 400 && reply.statusCode < 500 && !isAuthenticated(request);
    const ms = isRefusal && !isStopping ? pace.wait(networkOf(request.ip)) : 0;
    if (ms === 0) return next(null, payload);
    waits(request, reply, typeof payload === 'string' ? payload.length : 0);
    const send = () => {
      waiting.delete(timer);
      next(null, payload);
    };
    const timer = setTimeout(send, ms);
    waiting.set(timer, send);
  });
  fastify.addHook('preClose', (done) => {
    isStopping = true;
    for (const [timer, send] of waiting) {
      clearTimeout(timer);
      send();
    }
    done();
  });
}
