import { type CanActivate, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidationError } from '../errors/index.js';
import { done, type Envelope } from './envelope.js';
import { requestOf } from './request-of.js';

const NAME = 'dryRun';

/** Whether the request is a dry run: `?dryRun=true`. @throws ValidationError for anything else but `false` */
export const DryRun = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { query } = requestOf(context);
  const name = askedAs(query);
  if (name === undefined) return false;
  if (name !== NAME) throw fault(name, `must be written ${NAME}`, [NAME]);
  if ((query as Query)[name] !== 'true') throw fault(name, 'must be true or false', ['true', 'false']);
  return true;
});

/**
 * A dry run is never carried out: a route that has none refuses it.
 * @throws ValidationError
 */
export const noDryRun: CanActivate = {
  canActivate(context) {
    if (!mayBeDryRun(requestOf(context))) return true;
    throw fault(NAME, 'this route has no dry run', ['false']);
  },
};

/** Whether a request that changes something says more of `dryRun` than that it is none. */
export function mayBeDryRun({ method, query }: Pick<FastifyRequest, 'method' | 'query'>): boolean {
  return method !== 'GET' && method !== 'HEAD' && askedAs(query) !== undefined;
}

type Query = Readonly<Record<string, unknown>>;

/** The name under which it is asked for, in any case: who writes `dryrun` must not have moved money. */
function askedAs(query: unknown): string | undefined {
  for (const name in query as Query) {
    if (/^dryrun$/i.test(name) && (query as Query)[name] !== 'false') return name;
  }
  return undefined;
}

function fault(path: string, message: string, allowedValues: readonly unknown[]): ValidationError {
  return new ValidationError([{ path, code: 'NotAllowed', message, info: { allowedValues } }]);
}

/** 200: what the run would do. The type is that of any answer, as the route has one of its own. */
export function dryRunAnswer(reply: FastifyReply, shown: object): Envelope<never> {
  void reply.status(200);
  return done(shown as never);
}
