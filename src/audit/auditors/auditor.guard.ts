import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { bearer } from '../../auth/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';
import type { Auditor } from './auditor.projection.js';
import { Auditors } from './auditors.js';

type Audited = FastifyRequest & { auditor?: Auditor };

/** Lets auditors in, and nobody else: the routes behind it only read. */
@Injectable()
export class AuditorGuard implements CanActivate {
  constructor(private readonly auditors: Auditors) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Audited>();
    const auditor = await this.auditors.authenticate(bearer(request.headers.authorization));
    if (!auditor) throw new AuthenticationError("The auditor's credential is not valid.");
    request.auditor = auditor;
    return true;
  }
}

/** The one line that says a route is for auditors. */
export function AuditorRoute(): MethodDecorator & ClassDecorator {
  return applyDecorators(UseGuards(AuditorGuard), ApiBearerAuth('auditor'));
}

/** The auditor who calls. */
export const CallingAuditor = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Audited>().auditor,
);
