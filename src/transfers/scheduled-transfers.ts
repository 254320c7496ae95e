import { Injectable } from '@nestjs/common';
import {
  accountProjection,
  MOST_SCHEDULED,
  Registry,
  type Prepared,
  TooManyScheduled,
  TransactionRows,
} from '../accounts/index.js';
import type { Principal } from '../auth/index.js';
import { partitionOf, personal } from '../event-store/index.js';
import { scheduleTransfer, type TransferOrder } from './domain/scheduled-transfer.decider.js';
import { transferTerms } from './transfer-terms.js';

export interface RequestedTransfer {
  readonly destinationUid: string;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly description: string | undefined;
}

/** Prepares transfers for later: what is read before one is decided, and how it is. */
@Injectable()
export class ScheduledTransfers {
  constructor(
    private readonly registry: Registry,
    private readonly transactions: TransactionRows,
  ) {}

  async prepare(
    { accountUid, partnerUid, partition }: Principal,
    requested: RequestedTransfer,
  ): Promise<Prepared<TransferOrder>> {
    const { destinationUid, amount } = requested;
    const { settings } = await this.registry.partner(partnerUid);
    const subject = requested.description ? (await this.registry.facts(accountUid)).owner : undefined;
    const description = subject && personal(subject, requested.description!);
    const isFull = await this.transactions.hasWaiting(partition, accountUid, MOST_SCHEDULED);
    const isReachable = partitionOf(destinationUid) === partition && destinationUid !== accountUid;
    return {
      order: { destinationUid, amount: amount.toString(), ...(description && { description }) },
      reads: { accounts: isReachable ? [accountUid, destinationUid] : [accountUid] },
      creates: {},
      subjects: subject ? [subject] : [],
      secrets: [],
      decide: (rows, id, terms, at) => {
        if (isFull) throw new TooManyScheduled();
        const accounts = rows.of(accountProjection);
        const source = accounts.get(accountUid)!;
        const state = { source, destination: accounts.get(destinationUid), ...transferTerms(settings) };
        return scheduleTransfer(state, { id, destinationUid, amount, description, terms }, at);
      },
    };
  }
}
