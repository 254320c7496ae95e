import { Injectable } from '@nestjs/common';
import type { Prepared } from '../accounts/index.js';
import type { Principal } from '../auth/index.js';
import { prepareTransfer, type TransferOrder, TransferAppends } from './commands/transfer-append.js';
import type { ScheduledOrder } from './domain/scheduled-transfer.decider.js';

/** Prepares a transfer for later that others make: what is read before it is decided, and how it is. */
@Injectable()
export class ScheduledTransfers {
  constructor(private readonly appends: TransferAppends) {}

  async prepare(
    caller: Principal,
    order: TransferOrder & Required<Pick<TransferOrder, 'later'>>,
  ): Promise<Prepared<ScheduledOrder>> {
    const callerContext = await this.appends.contextOf(caller, [order]);
    const { request, reads, subjects, schedule } = prepareTransfer(callerContext, order);
    const { destinationUid, amount, description } = request;
    return {
      order: { destinationUid, amount: amount.toString(), ...(description && { description }) },
      reads,
      creates: {},
      subjects,
      secrets: [],
      decide: schedule,
    };
  }
}
