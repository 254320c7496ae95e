import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT } from '../../../platform/http/index.js';

const STATES = ['Open', 'Agreed', 'Rejected', 'Cancelled'] as const;
const RECOVERY_STATES = ['Pending', 'Accepted', 'Refused'] as const;

export class SandboxInfraction {
  /** Of the report, at the rail */
  readonly id: string;
  readonly endToEndId: string;
  @ApiProperty(AMOUNT) readonly amount: string;
  @ApiProperty({ enum: STATES, enumName: 'ReportStatus' }) readonly status: (typeof STATES)[number];
}

export class SandboxRecovery {
  readonly id: string;
  @ApiProperty({ enum: RECOVERY_STATES, enumName: 'RailRecoveryStatus' })
  readonly status: (typeof RECOVERY_STATES)[number];
  @ApiProperty({ ...AMOUNT, nullable: true }) readonly accepted: string | null;
}
