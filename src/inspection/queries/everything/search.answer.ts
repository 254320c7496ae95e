import { ApiProperty } from '@nestjs/swagger';
import { ACCOUNT_STATUS, type AccountStatus } from '../../../accounts/index.js';
import { ACCESS_KEY_STATUS, type AccessKeyStatus } from '../../../auth/index.js';
import { UUID, WHOLE } from '../../../platform/http/index.js';
import { FoundTransaction } from '../../search/search.answer.js';

/** What a hit was found by. */
const FOUND_BY = ['id', 'tail', 'endToEndId', 'orderId', 'taxNumber', 'amount', 'accountNumber', 'name'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

class HitView {
  @ApiProperty({ enum: FOUND_BY, enumName: 'FoundBy' }) readonly by: FoundBy;
}

/** Transactions found by one meaning of the text, newest first. */
export class TransactionGroup extends HitView {
  /** The interpreted text */
  readonly value: string;
  @ApiProperty({ type: [FoundTransaction] }) readonly items: readonly FoundTransaction[];
  /** Whether the list with this filter may have more */
  readonly more: boolean;
}

export class FoundPartner extends HitView {
  @ApiProperty(UUID) readonly uid: string;
  readonly name: string | null;
}

export class FoundAccount extends FoundPartner {
  @ApiProperty(UUID) readonly partnerUid: string;
  readonly branch: string;
  readonly number: string;
  readonly digit: string;
  @ApiProperty(ACCOUNT_STATUS) readonly status: AccountStatus;
  readonly partnerName: string | null;
}

export class FoundAccessKey extends HitView {
  @ApiProperty(UUID) readonly accessKey: string;
  readonly name: string | null;
  @ApiProperty(UUID) readonly accountUid: string;
  @ApiProperty(ACCESS_KEY_STATUS) readonly status: AccessKeyStatus;
}

export class FoundEverything {
  readonly transactions: TransactionGroup[];
  readonly partners: FoundPartner[];
  readonly accounts: FoundAccount[];
  readonly accessKeys: FoundAccessKey[];
  @ApiProperty({ type: 'array', items: WHOLE }) readonly partitionsAway: number[];
}
