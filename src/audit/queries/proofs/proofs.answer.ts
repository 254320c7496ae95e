import { ApiProperty } from '@nestjs/swagger';
import { HASH, POSITION, WHOLE } from '../../../platform/http/index.js';

/** Where a partition's tree was signed, and the key that signs it. */
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

/** Size and root of a partition as they stand. */
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

class TreeProof {
  @ApiProperty(HASH) readonly root: string;
  @ApiProperty({ type: 'array', items: HASH }) readonly path: string[];
  /** The signed note, C2SP tlog-checkpoint */
  readonly note: string;
}

export class InclusionProof extends TreeProof {
  @ApiProperty(HASH) readonly leaf: string;
  @ApiProperty(POSITION) readonly index: string;
  @ApiProperty(POSITION) readonly size: string;
}

export class ConsistencyProof extends TreeProof {
  @ApiProperty(POSITION) readonly from: string;
  @ApiProperty(POSITION) readonly to: string;
}
