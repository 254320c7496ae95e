import { ApiProperty } from '@nestjs/swagger';
import { HASH, POSITION, WHOLE } from '../../../platform/http/index.js';
import { SignedTree } from '../checkpoints/checkpoints.answer.js';

/** Present size and root of a partition. */
export class PartitionView {
  @ApiProperty(WHOLE) readonly partition: number;
  @ApiProperty(POSITION) readonly size: string;
  @ApiProperty(HASH) readonly root: string;
  readonly lastEventAt: Date | null;
  /** Events after the checkpoint */
  @ApiProperty(POSITION) readonly unsealed: string;
  readonly checkpoint: SignedTree | null;
}

export class PartitionList {
  readonly items: PartitionView[];
  @ApiProperty({ type: 'array', items: WHOLE }) readonly partitionsAway: readonly number[];
}
