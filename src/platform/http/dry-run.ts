import { type CanActivate, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError } from '../errors/index.js';
import { done, type Envelope } from './envelope.js';
import { requestOf } from './request-of.js';

const VALUES: readonly unknown[] = ['true', 'false'];

/** Whether the request is a dry run: `?dryRun=true`. @throws ValidationError for anything else but `false` */
export const DryRun = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { dryRun } = requestOf(context).query as { dryRun?: unknown };
  if (dryRun === undefined) return false;
  if (VALUES.includes(dryRun)) return dryRun === 'true';
  const info = { allowedValues: VALUES };
  throw new ValidationError([{ path: 'dryRun', code: 'NotAllowed', message: 'must be true or false', info }]);
});

/**
 * A dry run is never carried out: a route that has none refuses it.
 * @throws ValidationError
 */
export const noDryRun: CanActivate = {
  canActivate(context) {
    if (!mayBeDryRun(requestOf(context))) return true;
    const info = { allowedValues: ['false'] };
    throw new ValidationError([{ path: 'dryRun', code: 'NotAllowed', message: 'this route has no dry run', info }]);
  },
};

/** Whether a request that changes something says more of `dryRun` than that it is none. */
export function mayBeDryRun({ method, query }: Pick<FastifyRequest, 'method' | 'query'>): boolean {
  const { dryRun } = query as { dryRun?: unknown };
  return dryRun !== undefined && dryRun !== 'false' && method !== 'GET' && method !== 'HEAD';
}

/** 200: what the run would do. The type is that of any answer, as the route has one of its own. */
export function dryRunAnswer(reply: FastifyReply, shown: object): Envelope<never> {
  void reply.status(200);
  return done(shown as never);
}
