import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../../platform/http/index.js';
import { Limits } from '../../limits/limits.js';

/** Admits every caller and reports the limit: a login with a malformed body is not counted. */
@Injectable()
export class LoginLimitGuard implements CanActivate {
  constructor(private readonly limits: Limits) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    this.limits.logins.show(networkOf(http.getRequest<FastifyRequest>().ip), http.getResponse<FastifyReply>());
    return true;
  }
}
