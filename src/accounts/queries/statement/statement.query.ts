import { Query } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, done, MOMENT, type Page, POSITION, UUID } from '../../../platform/http/index.js';

/** One line of a statement: a movement on `available`. */
export class StatementLine {
  @ApiProperty(POSITION) readonly id: string;
  @ApiProperty(MOMENT) readonly date: string;
  readonly kind: string;
  @ApiProperty(UUID) readonly transactionId: string | null;
  /** Signed */
  @ApiProperty(AMOUNT) readonly amount: string;
  @ApiProperty(AMOUNT) readonly balanceAfter: string;
  readonly description: string;
}

/** Example of a page, for the documents. */
export const STATEMENT_EXAMPLE = done({
  items: [
    {
      id: '7',
      date: '2026-11-20T14:04:05.123Z',
      kind: 'Transfer',
      transactionId: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
      amount: '-10.50',
      balanceAfter: '989.50',
      description: 'Rent',
    },
  ],
  nextCursor: null,
});

/** An account's statement, newest first. `from` is inclusive, `to` exclusive. */
export class GetStatement extends Query<Page<StatementLine>> {
  constructor(
    readonly partnerUid: string,
    readonly accountUid: string,
    readonly from: Date | undefined,
    readonly to: Date | undefined,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
