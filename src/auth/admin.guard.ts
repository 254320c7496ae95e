import { hash, timingSafeEqual } from 'node:crypto';
import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import { type Config, CONFIG } from '../platform/config/index.js';
import { AuthenticationError } from '../platform/errors/index.js';
import { bearer } from './partner.guard.js';
import type { Authenticated } from './principal.js';

/** Lets the operator's tokens in; the token's name is the actor in the history. */
@Injectable()
export class AdminGuard implements CanActivate {
  readonly #tokens: readonly { name: string; digest: Buffer }[];

  constructor(@Inject(CONFIG) config: Config) {
    this.#tokens = config.secrets.adminTokens.map(({ name, token }) => ({ name, digest: digestOf(token) }));
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Authenticated>();
    const given = digestOf(bearer(request.headers.authorization));
    // Every token is compared, each in constant time: nothing is learnt from how long a refusal takes.
    const matches = this.#tokens.filter(({ digest }) => timingSafeEqual(digest, given));
    if (!matches[0]) throw new AuthenticationError('The operator token is not valid.');
    request.operator = { name: matches[0].name };
    return true;
  }
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The one line that says a route is the operator's. */
export function OperatorRoute(): MethodDecorator & ClassDecorator {
  return applyDecorators(UseGuards(AdminGuard), ApiBearerAuth('operator'));
}
