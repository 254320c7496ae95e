import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, WHOLE } from '../../../platform/http/index.js';

/** Open holds of all accounts. */
export class OpenHoldsView {
  @ApiProperty(WHOLE) readonly count: number;
  /** What they block */
  @ApiProperty(AMOUNT) readonly blocked: string;
  /** There are more than are counted */
  readonly capped: boolean;
}
