import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

// By their places among a route's arguments: `switchToHttp` makes an object and three functions each time.

/** The request that a guard or a parameter is for. */
export const requestOf = <R extends FastifyRequest = FastifyRequest>(context: ExecutionContext): R =>
  context.getArgByIndex<R>(0);

export const replyOf = (context: ExecutionContext): FastifyReply => context.getArgByIndex<FastifyReply>(1);
