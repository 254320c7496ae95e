import {
  applyDecorators,
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth } from '@nestjs/swagger';
import { bearer, EntryPoints, operatorActor, Sessions } from '../../auth/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';
import { requestOf } from '../../platform/http/index.js';
import { type Auditor, auditorActor, type AuditReader } from '../domain/auditor.js';
import { type Audited, InAuditorsTurn } from './auditor-turns.js';
import { Auditors, claimedAuditor } from './auditors.js';

const REFUSAL = "The auditor's credential is not valid.";

/**
 * Authenticates auditors, by their credential or by a console session that it was exchanged for. Operators need a
 * session: their token is for `/admin`.
 */
@Injectable()
export class AuditorGuard implements CanActivate {
  constructor(
    private readonly auditors: Auditors,
    private readonly sessions: Sessions,
    private readonly entryPoints: EntryPoints,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = requestOf<Audited>(context);
    request.auditor = await this.authenticate(request);
    request.viewer = { partnerUid: request.auditor.partnerUid };
    return true;
  }

  /** @throws AuthenticationError */
  async authenticate(request: Audited): Promise<AuditReader> {
    const session = await this.sessions.of(request);
    if (session?.role === 'operator') {
      const actor = operatorActor({ name: session.subject });
      return { id: actor, partnerUid: null, actor };
    }
    const auditor = session ? await this.auditors.active(session.subject) : await this.#byCredential(request);
    if (!auditor) throw new AuthenticationError(REFUSAL);
    const { id, partnerUid } = auditor;
    return { id, partnerUid, actor: auditorActor(id) };
  }

  /** A token without the form of a credential is no guess at one: it is neither counted nor looked up. */
  async #byCredential(request: Audited): Promise<Auditor | undefined> {
    const credential = bearer(request.headers.authorization);
    const name = claimedAuditor(credential);
    if (name === undefined) return undefined;
    const attempt = { address: request.ip, credential, name };
    return this.entryPoints.auditor.admit(attempt, () => this.auditors.authenticate(credential), REFUSAL);
  }
}

/** Restricts a route to auditors, and operators with a session, in their turns. */
export function AuditorRoute(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    UseGuards(AuditorGuard),
    UseInterceptors(InAuditorsTurn),
    ApiBearerAuth('auditor'),
    ApiCookieAuth('console'),
  );
}

/** The auditor who calls. */
export const CallingAuditor = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf<Audited>(context).auditor,
);
