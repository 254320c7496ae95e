import { Injectable } from '@nestjs/common';
import { accountProjection, type Prepared, TooManyScheduled } from '../accounts/index.js';
import type { Principal } from '../auth/index.js';
import { partitionOf, personal } from '../event-store/index.js';
import { type TransferOrder, TransferAppends } from './commands/transfer-append.js';
import { type ScheduledOrder, scheduleTransfer } from './domain/scheduled-transfer.decider.js';

/** Prepares a transfer for later that others make: what is read before it is decided, and how it is. */
@Injectable()
export class ScheduledTransfers {
  constructor(private readonly appends: TransferAppends) {}

  async prepare(
    caller: Principal,
    order: TransferOrder & Required<Pick<TransferOrder, 'later'>>,
  ): Promise<Prepared<ScheduledOrder>> {
    const { accountUid, partition } = caller;
    const { destinationUid, amount } = order;
    const { owner, isFull, limits, sunset } = await this.appends.terms(caller, '', [order]);
    const description = owner && personal(owner, order.description!);
    const isReachable = partitionOf(destinationUid) === partition && destinationUid !== accountUid;
    return {
      order: { destinationUid, amount: amount.toString(), ...(description && { description }) },
      reads: { accounts: isReachable ? [accountUid, destinationUid] : [accountUid] },
      creates: {},
      subjects: owner ? [owner] : [],
      secrets: [],
      decide: (rows, id, terms, at) => {
        if (isFull) throw new TooManyScheduled();
        const accounts = rows.of(accountProjection);
        const source = accounts.get(accountUid)!;
        const state = { source, destination: accounts.get(destinationUid), limits, sunset };
        return scheduleTransfer(state, { id, destinationUid, amount, description, terms }, at);
      },
    };
  }
}
