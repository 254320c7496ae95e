import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isJson } from './body-faults.js';
import { BODY_LIMIT } from './byte-budget.js';
import { networkOf } from './network-of.js';

const MIB = 1024 * 1024;
/** Bytes in memory of unfinished bodies, of all callers and of one network. */
const MOST = { ofAll: 64 * MIB, ofNetwork: 16 * MIB };
/** So many chunks any body may arrive in, and one more for each of so many bytes. */
const CHUNKS = 250;
const BYTES_OF_CHUNK = 256;
/** What a chunk takes in memory, however short it is: measured. */
const CHUNK_ITSELF = 640;
/** Bodies of no more bytes are taken as they come. */
const SHORT = 1_000;

/**
 * Bounds what bodies of JSON take while they arrive; others are streams that are read meanwhile, or not at all.
 * Whoever sends them need not be known, and need not end them. One in very many small chunks ends its connection:
 * each is an object and some work, whatever its length. Beyond the bytes of all, or of one network, those that have
 * been arriving the longest do. Register it before bodies are read.
 */
export function boundArrivals(fastify: FastifyInstance): void {
  const all = new UnfinishedBodies(MOST.ofAll);
  const networks = new Map<string, UnfinishedBodies>();
  fastify.addHook('onRequest', (request, _reply, next) => {
    const { raw, routeOptions } = request;
    // Most requests have no body, or one that is too short for either bound.
    const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = raw.headers;
    if ((encoding === undefined && !(Number(length) > SHORT)) || !isJson(type)) return next();
    const counted: UnfinishedBodies[] = [];
    // Routes of longer bodies know their caller first, and have a bound of their own.
    if (routeOptions.bodyLimit <= BODY_LIMIT) {
      const network = networkOf(request.ip);
      const own = networks.get(network) ?? new UnfinishedBodies(MOST.ofNetwork);
      networks.set(network, own);
      counted.push(own, all);
      counted.forEach((bodies) => bodies.set(raw, 0));
      raw.once('close', () => {
        counted.forEach((bodies) => bodies.delete(raw));
        if (own.isEmpty) networks.delete(network);
      });
    }
    watch(raw, counted);
    next();
  });
}

function watch(body: IncomingMessage, counted: readonly UnfinishedBodies[]): void {
  const push = body.push.bind(body);
  let [bytes, chunks] = [0, 0];
  body.push = (chunk: Buffer | null) => {
    if (chunk) {
      bytes += chunk.length;
      chunks += 1;
      for (const bodies of counted) bodies.set(body, Math.max(bytes, chunks * CHUNK_ITSELF));
      if (chunks > CHUNKS + bytes / BYTES_OF_CHUNK) body.destroy();
    }
    return body.destroyed ? false : push(chunk);
  };
}

class UnfinishedBodies {
  /** In the order of their heads. */
  readonly #bytes = new Map<IncomingMessage, number>();
  #all = 0;

  constructor(private readonly most: number) {}

  get isEmpty(): boolean {
    return this.#bytes.size === 0;
  }

  set(body: IncomingMessage, bytes: number): void {
    if (body.destroyed) return;
    this.#all += bytes - (this.#bytes.get(body) ?? 0);
    this.#bytes.set(body, bytes);
    for (const [oldest] of this.#bytes) {
      if (this.#all <= this.most) return;
      this.delete(oldest);
      oldest.destroy();
    }
  }

  delete(body: IncomingMessage): void {
    this.#all -= this.#bytes.get(body) ?? 0;
    this.#bytes.delete(body);
  }
}
