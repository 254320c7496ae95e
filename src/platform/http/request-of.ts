import type { ArgumentsHost } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

// By their places among a route's arguments: `switchToHttp` makes an object and three functions each time.

/** The request that a guard, a parameter or a filter is for. */
export const requestOf = <R extends FastifyRequest = FastifyRequest>(host: ArgumentsHost): R =>
  host.getArgByIndex<R>(0);

export const replyOf = (host: ArgumentsHost): FastifyReply => host.getArgByIndex<FastifyReply>(1);
