import { ApiProperty } from '@nestjs/swagger';
import { MOMENT, POSITION, UUID, WHOLE } from '../../platform/http/index.js';

/** One divergence, and where. */
export class DivergenceView {
  /** Which check found it */
  readonly check: string;
  @ApiProperty(WHOLE) readonly partition: number;
  /** Of the event that it is about; `null` for a row that no event explains */
  @ApiProperty(POSITION) readonly position: string | null;
  /** The row, stream or account that it is about, where it is not the event itself */
  readonly subject: string | null;
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

export class VerifiedPartition {
  @ApiProperty(WHOLE) readonly partition: number;
  /** The size of the partition when the verification began */
  @ApiProperty(POSITION) readonly events: string;
  readonly root: string;
  @ApiProperty(WHOLE) readonly checkpoints: number;
  /** Checkpoints from outside the database that it was compared with */
  @ApiProperty(WHOLE) readonly outside: number;
  /** Size of the newest signed checkpoint; later events are not sealed yet */
  @ApiProperty(POSITION) readonly sealed: string;
}

export class ReportView {
  readonly ok: boolean;
  @ApiProperty(MOMENT) readonly startedAt: string;
  readonly seconds: number;
  readonly partitions: VerifiedPartition[];
  /** How many items each check examined */
  @ApiProperty({ type: 'object', additionalProperties: WHOLE }) readonly examined: Record<string, number>;
  @ApiProperty(WHOLE) readonly divergenceCount: number;
  /** The first of `divergences` */
  readonly first: DivergenceView | null;
  /** In order of partition, of cause and of position; the first hundred */
  readonly divergences: DivergenceView[];
  /** Limits of the verdict; no divergences */
  readonly warnings: string[];
}

const VERIFICATION_STATUSES = ['Running', 'Finished', 'Failed', 'Lost'] as const;

export class VerificationView {
  @ApiProperty(UUID) readonly id: string;
  readonly startedBy: string;
  /** `Lost`: the process that ran it ended without a result */
  @ApiProperty({ enum: VERIFICATION_STATUSES, enumName: 'VerificationStatus' })
  readonly status: (typeof VERIFICATION_STATUSES)[number];
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  @ApiProperty(POSITION) readonly examined: string;
  @ApiProperty(POSITION) readonly total: string;
  readonly ok: boolean | null;
  readonly fault: string | null;
  /** Absent in lists; `null` until it is finished */
  readonly report?: ReportView | null;
}

export class VerificationList {
  readonly items: VerificationView[];
}
