import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { TransactionRows } from '../accounts/index.js';
import type { WorkItem, WorkResult } from '../event-store/index.js';
import { RunCashOut } from '../pix/index.js';
import { RunTransfer } from '../transfers/index.js';

/**
 * Carries out what waited for its time. It may be begun twice, by two processes: the transaction's state, under the lock
 * of its partition's head, lets one of them do it.
 */
@Injectable()
export class RunScheduledWorker {
  constructor(
    private readonly transactions: TransactionRows,
    private readonly commands: CommandBus,
  ) {}

  async perform(work: WorkItem): Promise<WorkResult> {
    const transaction = await this.transactions.find(work.subject);
    if (transaction?.state !== 'Scheduled') return 'done';
    return this.commands.execute(
      transaction.type === 'Transfer' ? new RunTransfer(transaction, work) : new RunCashOut(transaction, work),
    );
  }
}
