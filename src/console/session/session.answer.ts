import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../platform/http/index.js';
import type { SessionRole } from '../../auth/index.js';

export class FeaturesView {
  readonly sandbox: boolean;
}

export class InstitutionView {
  readonly name: string;
  readonly ispb: string;
}

export class SessionView {
  @ApiProperty({ enum: ['operator', 'auditor'], enumName: 'SessionRole' }) readonly role: SessionRole;
  readonly name: string;
  /** The one partner that an auditor may see; `null` for all */
  @ApiProperty(UUID) readonly partnerUid: string | null;
  /** Maximum lifetime */
  readonly expiresAt: Date;
  /** End of the idle time: use extends it */
  readonly idleUntil: Date;
  readonly features: FeaturesView;
  readonly institution: InstitutionView;
}

export class EndedSession {
  readonly ended: boolean;
}
