import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError } from '../errors/index.js';
import { canonicalJson } from './canonical-json.js';
import { requestOf } from './request-of.js';

/** An idempotency key and its request; the command adds the key's owner. */
export interface IdempotentRequest {
  readonly key: string;
  /**
   * Method, path and body as canonical JSON (RFC 8785), unknown fields included; numbers of equal double value are
   * equal.
   */
  readonly request: string;
}

export const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * The request's idempotency key, or `undefined` when it carries none.
 * @throws ValidationError for a key that is not 1–255 visible ASCII characters
 */
export const Idempotency = createParamDecorator((_: unknown, context: ExecutionContext) =>
  idempotencyOf(requestOf(context)),
);

/** @throws ValidationError for a key that is not 1–255 visible ASCII characters */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) {
    const rule = 'must be 1 to 255 visible ASCII characters';
    throw new ValidationError([
      { path: 'Idempotency-Key', code: 'InvalidFormat', message: rule, info: { maximum: 255 } },
    ]);
  }
  return key;
}

function idempotencyOf(request: FastifyRequest): IdempotentRequest | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  const path = request.url.split('?')[0]!.replace(/\/+$/, '');
  return { key, request: requestText(request.method, path, request.body) };
}

/** @param path without a slash at its end */
export function requestText(method: string, path: string, body: unknown): string {
  return `${method} ${path} ${canonicalJson(body ?? null)}`;
}

/** Marks a replayed answer. */
export function markReplayed(reply: FastifyReply, replayed: boolean): void {
  if (replayed) void reply.header('idempotent-replayed', 'true');
}
