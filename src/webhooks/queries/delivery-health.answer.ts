import { ApiProperty } from '@nestjs/swagger';
import { WHOLE } from '../../platform/http/index.js';

/** Counts of undelivered webhooks of all partners. */
export class DeliveryHealthView {
  /** Attempts that are due now */
  @ApiProperty(WHOLE) readonly due: number;
  readonly oldestDueSeconds: number | null;
  /** Not tried yet */
  @ApiProperty(WHOLE) readonly waiting: number;
  @ApiProperty(WHOLE) readonly retrying: number;
  @ApiProperty(WHOLE) readonly stopped: number;
  @ApiProperty(WHOLE) readonly exhausted: number;
  /** Of some there are more than are counted */
  readonly capped: boolean;
}
