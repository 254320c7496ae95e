import { ApiProperty, OmitType } from '@nestjs/swagger';
import { AccountView, StatementLine } from '../../../accounts/index.js';
import { AMOUNT, UUID, WHOLE } from '../../../platform/http/index.js';

/** An account as operators and auditors see it. */
export class InspectedAccount extends OmitType(AccountView, ['current'] as const) {
  @ApiProperty(UUID) readonly partnerUid: string;
  @ApiProperty(WHOLE) readonly partition: number;
  /** Number of its newest entry */
  @ApiProperty(WHOLE) readonly entries: number;
  readonly openedAt: Date;
}

/** A movement as the partner reads it, with its counterparty. */
export class InspectedStatementLine extends StatementLine {
  /** `null` without a counterparty, or if the person was forgotten */
  readonly counterpartyName: string | null;
}

/** Balances at the beginning of a period, or after an entry. */
class Balances {
  @ApiProperty(WHOLE) readonly entry: number;
  @ApiProperty(AMOUNT) readonly available: string;
  @ApiProperty(AMOUNT) readonly held: string;
  @ApiProperty(AMOUNT) readonly blocked: string;
}

export class BalanceStart extends Balances {
  readonly at: Date | null;
}

export class BalancePoint extends Balances {
  readonly at: Date;
}

export class BalanceSeriesView {
  /** Balances at the beginning of the period */
  readonly before: BalanceStart;
  readonly points: BalancePoint[];
  /** Number of entries in the period */
  @ApiProperty(WHOLE) readonly entries: number;
}
