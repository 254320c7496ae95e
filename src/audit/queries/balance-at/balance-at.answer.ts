import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, POSITION, WHOLE } from '../../../platform/http/index.js';

/** An account's balances at a moment or position, from its entries. */
export class BalanceAtView {
  @ApiProperty(AMOUNT) readonly available: string;
  @ApiProperty(AMOUNT) readonly held: string;
  @ApiProperty(AMOUNT) readonly blocked: string;
  /** Number of the account's last entry by then; 0 for none */
  @ApiProperty(WHOLE) readonly entry: number;
  /** Position of that entry's event; `null` for none */
  @ApiProperty(POSITION) readonly position: string | null;
}
