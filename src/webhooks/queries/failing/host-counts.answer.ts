import { ApiProperty } from '@nestjs/swagger';
import { WHOLE } from '../../../platform/http/index.js';
import { CircuitView } from './circuit.answer.js';

/** Counts of undelivered webhooks to one host. */
export class HostCounts {
  readonly host: string;
  @ApiProperty(WHOLE) readonly retrying: number;
  @ApiProperty(WHOLE) readonly stopped: number;
  @ApiProperty(WHOLE) readonly exhausted: number;
  @ApiProperty(WHOLE) readonly waiting: number;
  /** The host's circuit that has been open the longest; `null` while none is */
  readonly circuit: CircuitView | null;
}
