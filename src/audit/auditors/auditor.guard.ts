import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth } from '@nestjs/swagger';
import { type Authenticated, bearer, Doors, Sessions } from '../../auth/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';
import type { Auditor, AuditReader } from '../domain/auditor.js';
import { Auditors, claimedAuditor } from './auditors.js';

const REFUSAL = "The auditor's credential is not valid.";

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
    private readonly doors: Doors,
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
    const auditor = session ? await this.auditors.inUse(session.subject) : await this.#byCredential(request);
    if (!auditor) throw new AuthenticationError(REFUSAL);
    const { id, partnerUid } = auditor;
    return { id, partnerUid, actor: `auditor:${id}` };
  }

  /** What has not the form of a credential is no guess at one, and is not looked for. */
  async #byCredential(request: Audited): Promise<Auditor | undefined> {
    const credential = bearer(request.headers.authorization);
    const name = claimedAuditor(credential);
    if (name === undefined) return undefined;
    const attempt = { address: request.ip, credential, name };
    return this.doors.auditor.admit(attempt, () => this.auditors.authenticate(credential), REFUSAL);
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
