import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  accountProjection,
  MOST_SCHEDULED,
  Registry,
  TooManyScheduled,
  TransactionRows,
} from '../../../accounts/index.js';
import { type EventOf, Ledger, newId, partitionOf, personal } from '../../../event-store/index.js';
import { scheduleTransfer } from '../../domain/scheduled-transfer.decider.js';
import type { TransferScheduled } from '../../domain/transfer.events.js';
import { transferTerms } from '../../transfer-terms.js';
import { type ScheduledTransfer, ScheduleTransfer } from './schedule-transfer.command.js';

@CommandHandler(ScheduleTransfer)
export class ScheduleTransferHandler implements ICommandHandler<ScheduleTransfer> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    private readonly transactions: TransactionRows,
  ) {}

  async execute(command: ScheduleTransfer): Promise<ScheduledTransfer> {
    const { caller, destinationUid, amount, terms } = command;
    const { partition, accountUid } = caller;
    const { settings } = await this.registry.partner(caller.partnerUid);
    const subject = command.description ? (await this.registry.facts(accountUid)).owner : undefined;
    const description = subject && personal(subject, command.description!);
    const isFull = await this.transactions.hasWaiting(partition, accountUid, MOST_SCHEDULED);
    const id = newId(partition);
    const timerId = newId(partition);
    const isReachable = partitionOf(destinationUid) === partition && destinationUid !== accountUid;
    const { events, replayed } = await this.ledger.execute({
      partition,
      reads: { accounts: isReachable ? [accountUid, destinationUid] : [accountUid] },
      creates: { transactions: [id], scheduledTransactions: [id] },
      subjects: subject && [subject],
      decide: (rows, at) => {
        if (isFull) throw new TooManyScheduled();
        const accounts = rows.of(accountProjection);
        const source = accounts.get(accountUid)!;
        const state = { source, destination: accounts.get(destinationUid), ...transferTerms(settings) };
        const request = { id, destinationUid, amount, description, terms: { ...terms, timerId } };
        return scheduleTransfer(state, request, at);
      },
      metadata: { actor: `access-key:${caller.accessKey}`, requestId: command.requestId, correlation: id },
      idempotency: command.idempotency && { scope: accountUid, ...command.idempotency },
    });
    const { data } = events[0] as EventOf<typeof TransferScheduled>;
    const { scheduledFor, retryUntil } = data.schedule;
    return { id: data.id, scheduledFor, ...(retryUntil && { retryUntil }), replayed };
  }
}
