import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sets a weak `ETag` and `no-cache` (RFC 9111, 5.2.2.4), and tells whether the caller has the current answer. Call it
 * after authorization. The tag is weak: the same content, not the same bytes.
 * @param source from which the answer is derived
 * @returns whether to answer 304, with no body (RFC 9110, 13.1.2)
 */
export function isKnown(request: FastifyRequest, reply: FastifyReply, source: string): boolean {
  const tag = `"${createHash('sha256').update(source).digest('base64url').slice(0, 22)}"`;
  void reply.header('cache-control', 'no-cache').header('etag', `W/${tag}`);
  const known = request.headers['if-none-match'] ?? '';
  return known === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
