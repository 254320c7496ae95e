import { ApiProperty } from '@nestjs/swagger';
import { WHOLE } from '../../../platform/http/index.js';

/** Cases of all accounts that nobody has decided yet. */
export class OpenCasesView {
  @ApiProperty(WHOLE) readonly count: number;
  /** Those whose analysis should have ended */
  @ApiProperty(WHOLE) readonly overdue: number;
  /** There are more than are counted */
  readonly capped: boolean;
}
