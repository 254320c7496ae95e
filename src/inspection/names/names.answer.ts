import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../platform/http/index.js';

export class AccountName {
  @ApiProperty(UUID) readonly uid: string;
  /** `null` where the person was forgotten */
  readonly name: string | null;
}

export class AccountNames {
  readonly items: AccountName[];
  @ApiProperty({ type: [Number] }) readonly partitionsAway: readonly number[];
}
