import { ApiProperty } from '@nestjs/swagger';
import { UUID, WHOLE } from '../../../platform/http/index.js';

export class AccountName {
  @ApiProperty(UUID) readonly uid: string;
  /** `null` if the person was forgotten */
  readonly name: string | null;
}

export class AccountNames {
  readonly items: AccountName[];
  @ApiProperty({ type: 'array', items: WHOLE }) readonly partitionsAway: readonly number[];
}
