import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';

/** One line of a statement: a movement on `available`. */
export interface StatementLine {
  readonly id: string;
  readonly date: string;
  readonly kind: string;
  readonly transactionId: string | null;
  /** Signed. */
  readonly amount: string;
  readonly balanceAfter: string;
  readonly description: string;
}

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
