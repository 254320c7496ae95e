import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Auditors } from '../../audit/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { AuthenticationError } from '../../platform/errors/index.js';
import type { SessionView } from './session.answer.js';
import { ShowSession } from './session.query.js';

@QueryHandler(ShowSession)
export class ShowSessionHandler implements IQueryHandler<ShowSession> {
  constructor(
    private readonly auditors: Auditors,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AuthenticationError for an auditor who was revoked meanwhile */
  async execute({ session }: ShowSession): Promise<SessionView> {
    const { role, subject, expiresAt, idleUntil } = session;
    const auditor = role === 'auditor' ? await this.auditors.active(subject) : undefined;
    if (role === 'auditor' && !auditor) throw new AuthenticationError('The session has ended. Sign in again.');
    const { pixRail, institution } = this.config;
    return {
      role,
      name: auditor?.name ?? subject,
      partnerUid: auditor?.partnerUid ?? null,
      expiresAt,
      idleUntil,
      features: { sandbox: pixRail === 'sandbox' },
      institution,
    };
  }
}
