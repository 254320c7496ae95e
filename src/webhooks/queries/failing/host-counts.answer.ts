import { ApiProperty } from '@nestjs/swagger';
import { WHOLE } from '../../../platform/http/index.js';

/** How deliveries to one host fare that are not delivered. */
export class HostCounts {
  readonly host: string;
  @ApiProperty(WHOLE) readonly retrying: number;
  @ApiProperty(WHOLE) readonly stopped: number;
  @ApiProperty(WHOLE) readonly exhausted: number;
  @ApiProperty(WHOLE) readonly waiting: number;
}
