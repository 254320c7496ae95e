import { ApiProperty } from '@nestjs/swagger';
import { HASH, POSITION, UUID, WHOLE } from '../../../platform/http/index.js';
import type { EventLine } from '../../log/event-line.js';

/** An event, every column of its leaf. `data` and `metadata` are the exact texts that were hashed. */
export class AuditedEvent implements Omit<EventLine, 'kind' | 'proof'> {
  @ApiProperty(WHOLE) readonly partition: number;
  @ApiProperty(POSITION) readonly position: string;
  @ApiProperty(UUID) readonly id: string;
  readonly stream: string;
  @ApiProperty(WHOLE) readonly version: number;
  readonly type: string;
  @ApiProperty(WHOLE) readonly schemaVersion: number;
  /** Milliseconds since the epoch */
  @ApiProperty(WHOLE) readonly time: number;
  readonly data: string;
  readonly metadata: string;
  @ApiProperty(HASH) readonly leaf: string;
}
