import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth } from '@nestjs/swagger';
import { AuthenticationError, Forbidden } from '../platform/errors/index.js';
import { requestOf } from '../platform/http/index.js';
import { EntryPoints } from './entry-points/entry-points.js';
import { Operators } from './operators.js';
import { bearer } from './partner.guard.js';
import type { Authenticated, Operator } from './principal.js';
import { Sessions } from './sessions/sessions.js';

const REFUSAL = 'The operator token is not valid.';

/** Authenticates operators: by an operator token, or by a console session that one was exchanged for. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly operators: Operators,
    private readonly sessions: Sessions,
    private readonly entryPoints: EntryPoints,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf<Authenticated>(context);
    request.operator = await this.authenticate(request);
    request.viewer = { partnerUid: null };
    return true;
  }

  /** @throws AuthenticationError; Forbidden for an auditor's session */
  async authenticate(request: Authenticated): Promise<Operator> {
    const session = await this.sessions.of(request);
    if (session) {
      // Authenticated, but not authorized.
      if (session.role !== 'operator') throw new Forbidden();
      return { name: session.subject };
    }
    const credential = bearer(request.headers.authorization);
    if (!this.operators.isGuess(credential)) throw new AuthenticationError(REFUSAL);
    const attempt = { address: request.ip, credential };
    const { name } = await this.entryPoints.operator.admit(attempt, () => this.operators.byToken(credential), REFUSAL);
    return { name };
  }
}

/** Restricts a route to operators. */
export function OperatorRoute(): MethodDecorator & ClassDecorator {
  return applyDecorators(UseGuards(AdminGuard), ApiBearerAuth('operator'), ApiCookieAuth('console'));
}
