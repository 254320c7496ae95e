import { ApiProperty } from '@nestjs/swagger';
import { HASH, POSITION, WHOLE } from '../../../platform/http/index.js';

/** The signed tree of a partition, and its verifier key. */
export class SignedTree {
  @ApiProperty(POSITION) readonly size: string;
  @ApiProperty(HASH) readonly root: string;
  /** C2SP vkey */
  readonly vkey: string;
  readonly signedAt: Date;
}

export class CheckpointView extends SignedTree {
  @ApiProperty(WHOLE) readonly partition: number;
  /** The signed note, C2SP tlog-checkpoint */
  readonly note: string;
}

export class NewestCheckpoints {
  readonly items: CheckpointView[];
  @ApiProperty({ type: 'array', items: WHOLE }) readonly partitionsAway: readonly number[];
}
