import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { requestOf } from './request-of.js';

const SANE = /^[\w.:/+=@-]{1,128}$/;

/** The caller's `x-request-id` if it is a sane token, else a new one. */
export function requestIdOf(headers: Record<string, unknown>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

/** The request's id, for the metadata of events. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).id);
