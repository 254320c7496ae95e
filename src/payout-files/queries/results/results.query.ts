import { Query } from '@nestjs/cqrs';
import type { TransactionState } from '../../../accounts/index.js';
import type { Download } from '../../../platform/http/index.js';
import type { FileFormat } from '../../domain/payout-file.events.js';

/** What became of a line that was requested. */
export interface LineResult {
  readonly line: number;
  readonly orderId: string;
  readonly value: string;
  readonly state: TransactionState;
  readonly transactionId: string | null;
  readonly endToEndId: string | null;
  /** As the single route answers it, or the reason for which the payout was not carried out. */
  readonly error: Readonly<Record<string, unknown>> | null;
}

export interface PayoutFileResults {
  readonly format: FileFormat;
  /** In the order of the lines. */
  readonly lines: AsyncIterable<LineResult>;
  /** Sends them: until it ends the partner can have no other results. */
  readonly download: Download;
}

/** What became of the lines of a file so far. */
export class GetPayoutFileResults extends Query<PayoutFileResults> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
  ) {
    super();
  }
}
