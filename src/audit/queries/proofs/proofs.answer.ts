import { ApiProperty } from '@nestjs/swagger';
import { HASH, POSITION } from '../../../platform/http/index.js';

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
