import { ApiProperty } from '@nestjs/swagger';
import { MOMENT } from '../../../platform/http/index.js';

/** A receiver that is taken for dead, as the process knows it that answers */
export class CircuitView {
  @ApiProperty(MOMENT) readonly since: Date;
  /** `null` while a probe is under way */
  @ApiProperty(MOMENT) readonly nextProbeAt: Date | null;
}
