import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, HASH, POSITION, UUID, WHOLE } from '../../../platform/http/index.js';
import type { EventLine } from '../../export/export-format.js';

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

/** An account's balances as its entries tell them at a moment or position. */
export class BalanceAtView {
  @ApiProperty(AMOUNT) readonly available: string;
  @ApiProperty(AMOUNT) readonly held: string;
  /** Number of the account's last entry by then; 0 for none */
  @ApiProperty(WHOLE) readonly entry: number;
  /** Position of that entry's event; `null` for none */
  @ApiProperty(POSITION) readonly position: string | null;
}
