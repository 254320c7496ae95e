import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * For an answer that follows from what it is made of, and that may be kept if it is asked for again before each use
 * (RFC 9111, 5.2.2.4): says so, and tells whether the caller has it already. Call it once it is clear that the answer
 * may still be given. The tag is weak: the same content, not the same bytes.
 * @param source what the answer is made of
 * @returns whether to answer 304, with no body (RFC 9110, 13.1.2)
 */
export function isKnown(request: FastifyRequest, reply: FastifyReply, source: string): boolean {
  const tag = `"${createHash('sha256').update(source).digest('base64url').slice(0, 22)}"`;
  void reply.header('cache-control', 'no-cache').header('etag', `W/${tag}`);
  const known = request.headers['if-none-match'] ?? '';
  return known === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
