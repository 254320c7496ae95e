import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type EventOf, Ledger, newId } from '../../../event-store/index.js';
import type { TransferScheduled } from '../../domain/transfer.events.js';
import { ScheduledTransfers } from '../../scheduled-transfers.js';
import { type ScheduledTransfer, ScheduleTransfer } from './schedule-transfer.command.js';

@CommandHandler(ScheduleTransfer)
export class ScheduleTransferHandler implements ICommandHandler<ScheduleTransfer> {
  constructor(
    private readonly ledger: Ledger,
    private readonly transfers: ScheduledTransfers,
  ) {}

  async execute({ caller, transfer, terms, requestId, idempotency }: ScheduleTransfer): Promise<ScheduledTransfer> {
    const { partition, accountUid: scope } = caller;
    const { reads, subjects, decide } = await this.transfers.prepare(caller, transfer);
    const [id, timerId] = [newId(partition), newId(partition)];
    const { events, replayed } = await this.ledger.execute({
      partition,
      reads,
      creates: { transactions: [id], scheduledTransactions: [id] },
      subjects,
      decide: (rows, at) => decide(rows, id, { ...terms, timerId }, at),
      metadata: { actor: `access-key:${caller.accessKey}`, requestId, correlation: id },
      idempotency: idempotency && { scope, ...idempotency },
    });
    const { data } = events[0] as EventOf<typeof TransferScheduled>;
    const { scheduledFor, retryUntil } = data.schedule;
    return { id: data.id, scheduledFor, ...(retryUntil && { retryUntil }), replayed };
  }
}
