import { ApiProperty } from '@nestjs/swagger';
import { MOMENT } from '../../../platform/http/index.js';

/** An open circuit, as known to the process that answers */
export class CircuitView {
  @ApiProperty(MOMENT) readonly since: Date;
  /** `null` while a probe is under way */
  @ApiProperty(MOMENT) readonly nextProbeAt: Date | null;
}

/** For the documents. */
export const CIRCUIT_EXAMPLE = { since: '2026-11-20T14:03:41.002Z', nextProbeAt: '2026-11-20T14:04:41.512Z' };
