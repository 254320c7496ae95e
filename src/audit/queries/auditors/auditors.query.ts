import { Query } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../../platform/http/index.js';

const STATUS = { enum: ['Active', 'Revoked'], enumName: 'AuditorStatus' };

export class RevokedAuditor {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty(STATUS) readonly status: 'Active' | 'Revoked';
}

export class AuditorView extends RevokedAuditor {
  readonly name: string;
  /** The one partner that it may see; `null` for all */
  @ApiProperty(UUID) readonly partnerUid: string | null;
  readonly registeredAt: Date;
}

export class AuditorList {
  readonly items: AuditorView[];
}

/** All auditors, oldest first. */
export class ListAuditors extends Query<AuditorList> {}
