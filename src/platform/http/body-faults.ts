import { HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Looks at the caller of a route that is not for everybody, as its guard does.
 * @throws what the guard throws
 */
export type CallerCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export const NOT_JSON = 'The body must be JSON: Content-Type: application/json.';
export const COMPRESSED = 'The body must not be compressed.';
export const OTHER_CHARSET = 'The body must be UTF-8.';

/** Whether it goes to the parser of JSON. @param contentType the header's value */
export const isJson = (contentType = '') => /^\s*application\/json\s*(;|$)/i.test(contentType);

/** @param contentType the header's value */
export function namesOtherCharset(contentType = ''): boolean {
  const [, charset] = /charset="?([^";\s]+)/i.exec(contentType) ?? [];
  return charset !== undefined && !/^utf-?8$/i.test(charset);
}

const OF_BODY = new Set([400, 413, 415]);
const faults = new WeakSet<object>();

/** Marks a fault that was found while a body was read, when no guard had looked at the caller yet. */
export function ofBody<E extends object>(fault: E): E {
  faults.add(fault);
  return fault;
}

/** Fastify's own refusals come from Nest as exceptions without a cause. */
export function isOfBody(thrown: unknown): boolean {
  if (thrown instanceof HttpException) return OF_BODY.has(thrown.getStatus());
  return typeof thrown === 'object' && thrown !== null && faults.has(thrown);
}
