import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountProjection, assertUnchanged } from '../../../accounts/index.js';
import { Ledger, newId, partitionOf } from '../../../event-store/index.js';
import { type NextRun, type PayoutOrder, ScheduledPayouts } from '../../../pix/index.js';
import { type ScheduledOrder, transferScheduled } from '../../../transfers/index.js';
import { makeNextRun } from '../../domain/schedule.decider.js';
import { orderIdOfRun } from '../../domain/schedule.js';
import { scheduleProjection } from '../../schedule.projection.js';
import { MakeNextRun } from './make-next-run.command.js';

@CommandHandler(MakeNextRun)
export class MakeNextRunHandler implements ICommandHandler<MakeNextRun> {
  constructor(
    private readonly ledger: Ledger,
    private readonly payouts: ScheduledPayouts,
  ) {}

  async execute({ schedule, timerId: doneTimerId }: MakeNextRun): Promise<void> {
    const { id, kind, accountUid, partnerUid, makes, runs } = schedule;
    const partition = partitionOf(id)!;
    const [transactionId, timerId, nextTimerId] = [newId(partition), newId(partition), newId(partition)];
    const run =
      kind === 'Transfer'
        ? transferRun(accountUid, transactionId, makes as ScheduledOrder)
        : await this.payouts.nextRun(partnerUid, accountUid, {
            ...(makes as PayoutOrder),
            id: transactionId,
            orderId: orderIdOfRun(makes.orderId!, runs.length + 1),
          });
    await this.ledger.execute({
      partition,
      reads: { schedules: [id], accounts: [accountUid], ...run.reads },
      creates: {
        transactions: [transactionId],
        scheduledTransactions: [transactionId],
        ...run.creates,
      },
      decide: (rows) => {
        assertUnchanged(schedule, rows.of(scheduleProjection).get(id)!);
        const made = { transactionId, timerId, nextTimerId };
        return makeNextRun(schedule, doneTimerId, made, (terms) => run.make(rows, terms));
      },
      metadata: { actor: 'timer', correlation: id },
    });
  }
}

function transferRun(accountUid: string, id: string, order: ScheduledOrder): NextRun {
  return {
    reads: {},
    creates: {},
    make: (rows, terms) => [transferScheduled(rows.of(accountProjection).get(accountUid)!, id, order, terms)],
  };
}
