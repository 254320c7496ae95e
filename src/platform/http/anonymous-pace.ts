import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { networkOf } from './network-of.js';
import { OPERATIONS } from './operations-only.js';

/** Longer than that no answer waits: it holds a connection, and what was parsed of its request. */
const LONGEST_MS = 5_000;
/** A long answer counts as one for each so many bytes. */
const BYTES = 16 * 1024;
const NETWORKS = 50_000;

/** Public routes whose successes have a limit or turns of their own, or are the PSP's or the sandbox's. */
const COUNTED = /^\/(partners-int\/login|pix\/(payload|qrcode|receipts|notifications)|sandbox)\b/;
/** Routes without a limit whose 503s many may ask for; those of turns say that too many do. */
const UNLIMITED_503 = /^\/(health|audit|pix\/(payload|qrcode|receipts))\//;

/** Answers to one network: a burst of a second's, then one after the other. */
export class AnonymousPace {
  /** When the last of each is due, by `performance.now()`; a moment that has passed is as good as none. */
  readonly #due = new LRUCache<string, number>({ maxSize: NETWORKS, sizeCalculation: () => 1 });

  constructor(private readonly perSecond: number) {}

  /** Counts an answer. @param counts as so many. @returns milliseconds for which it waits */
  wait(network: string, counts: number, now = performance.now()): number {
    const free = Math.max(this.#due.get(network) ?? 0, now - 1_000);
    const due = Math.min(free + (counts * 1_000) / this.perSecond, now + LONGEST_MS);
    this.#due.set(network, due);
    return Math.max(0, due - now);
  }
}

/** Sends an answer of so many bytes, in its turn. */
export type InPace = (request: FastifyRequest, reply: FastifyReply, bytes: number, send: () => void) => void;

/**
 * Answers that no limit counts, of callers who are not known, go out at a pace by network: a client that asks again
 * without a pause has its next answer later, and others have the processor meanwhile. Probes and scrapes have a pace of
 * their own: other answers delay none.
 * @param perSecond of one network; 0 is no pace
 * @param isCounted whether a guard let the request pass, and limits of its own count an answer with this status
 * @param waits called when an answer is given that will be sent later
 * @returns the pace, for answers that are given outside of all hooks
 */
export function paceAnonymous(
  fastify: FastifyInstance,
  perSecond: number,
  isCounted: (request: FastifyRequest, status: number) => boolean,
  waits: (request: FastifyRequest, reply: FastifyReply, bytes: number) => void,
): InPace {
  if (perSecond === 0) return (_request, _reply, _bytes, send) => send();
  const answers = new AnonymousPace(perSecond);
  const operations = new AnonymousPace(perSecond);
  const waiting = new Map<NodeJS.Timeout, () => void>();
  let isStopping = false;
  const inPace: InPace = (request, reply, bytes, send) => {
    if (isStopping) return send();
    const pace = OPERATIONS.has(request.routeOptions.url) ? operations : answers;
    const ms = pace.wait(networkOf(request.ip), 1 + Math.floor(bytes / BYTES));
    if (ms === 0) return send();
    waits(request, reply, bytes);
    const sendLate = () => {
      waiting.delete(timer);
      send();
    };
    const timer = setTimeout(sendLate, ms);
    waiting.set(timer, sendLate);
  };
  fastify.addHook('onSend', (request, reply, payload, next) => {
    const send = () => next(null, payload);
    // By the route, not by the address: that can be written in many ways.
    const { url = '' } = request.routeOptions;
    if (isCounted(request, reply.statusCode) || !isUncounted(url, reply.statusCode)) send();
    else inPace(request, reply, lengthOf(payload, reply), send);
  });
  fastify.addHook('preClose', (done) => {
    isStopping = true;
    for (const [timer, send] of waiting) {
      clearTimeout(timer);
      send();
    }
    done();
  });
  return inPace;
}

/**
 * Whether an answer to a caller whom no guard has let pass has no other limit. A service that cannot answer now (503)
 * says so at once: it may be to somebody whom no guard has seen yet.
 */
export function isUncounted(url: string, status: number): boolean {
  if (status >= 500) return status === 503 && UNLIMITED_503.test(url);
  return status >= 400 || !COUNTED.test(url);
}

/** Of a stream what its header says. */
function lengthOf(payload: unknown, reply: FastifyReply): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}
