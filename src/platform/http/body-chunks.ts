import type { FastifyInstance } from 'fastify';

/** So many chunks any body may arrive in, and one more for each of so many bytes. */
const ANY = 1_000;
const BYTES = 256;

/**
 * Ends the connection of a body that arrives in very many small chunks: each is an object and some work of this
 * process, whatever its length. Registered before the body is read.
 */
export function boundChunks(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', ({ raw }, _reply, next) => {
    // Most requests have no body, or one that is too short for so many.
    const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers;
    if (encoding !== undefined || Number(length) > ANY) bound(raw);
    next();
  });
}

function bound(body: NodeJS.ReadableStream & { push(chunk: Buffer | null): boolean; destroy(): unknown }): void {
  const push = body.push.bind(body);
  let credit = ANY * BYTES;
  body.push = (chunk) => {
    credit += (chunk?.length ?? BYTES) - BYTES;
    if (credit >= 0) return push(chunk);
    body.destroy();
    return false;
  };
}
