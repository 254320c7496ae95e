import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth } from '@nestjs/swagger';
import { type Authenticated, bearer, Sessions } from '../../auth/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';
import type { Auditor } from './auditor.projection.js';
import { Auditors } from './auditors.js';

/** Who reads the audit routes: an auditor, or an operator who is signed in at the console and sees everything. */
export type AuditReader = Pick<Auditor, 'id' | 'partnerUid'> & {
  /** As the history would name them. */
  readonly actor: string;
};

type Audited = Authenticated & { auditor?: AuditReader };

/**
 * Lets auditors in, by their credential or by a session of the console that it was exchanged for. Operators come in by
 * a session only: their token is for `/admin`.
 */
@Injectable()
export class AuditorGuard implements CanActivate {
  constructor(
    private readonly auditors: Auditors,
    private readonly sessions: Sessions,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Audited>();
    request.auditor = await this.#reader(request);
    request.viewer = { partnerUid: request.auditor.partnerUid };
    return true;
  }

  async #reader(request: Audited): Promise<AuditReader> {
    const session = await this.sessions.of(request);
    if (session?.role === 'operator') {
      const actor = `operator:${session.subject}`;
      return { id: actor, partnerUid: null, actor };
    }
    const auditor = session
      ? await this.auditors.inUse(session.subject)
      : await this.auditors.authenticate(bearer(request.headers.authorization));
    if (!auditor) throw new AuthenticationError("The auditor's credential is not valid.");
    const { id, partnerUid } = auditor;
    return { id, partnerUid, actor: `auditor:${id}` };
  }
}

/** The one line that says a route is for auditors. */
export function AuditorRoute(): MethodDecorator & ClassDecorator {
  return applyDecorators(UseGuards(AuditorGuard), ApiBearerAuth('auditor'), ApiCookieAuth('console'));
}

/** The auditor who calls. */
export const CallingAuditor = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Audited>().auditor,
);
