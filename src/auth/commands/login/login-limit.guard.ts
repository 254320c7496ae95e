import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { networkOf, replyOf, requestOf } from '../../../platform/http/index.js';
import { Limits } from '../../limits/limits.js';

/** Admits every caller and reports the limit: a login with a malformed body is not counted. */
@Injectable()
export class LoginLimitGuard implements CanActivate {
  constructor(private readonly limits: Limits) {}

  canActivate(context: ExecutionContext): boolean {
    this.limits.logins.show(networkOf(requestOf(context).ip), replyOf(context));
    return true;
  }
}
