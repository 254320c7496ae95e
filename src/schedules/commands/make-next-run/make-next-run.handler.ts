import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { accountProjection, orderKey, type ScheduleTerms } from '../../../accounts/index.js';
import { type LoadedRows, Ledger, newId, type NewEvent, partitionOf } from '../../../event-store/index.js';
import { cashOutScheduled, type PayoutOrder, ScheduledPayouts } from '../../../pix/index.js';
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
    const orderId = makes.orderId === undefined ? undefined : orderIdOfRun(makes.orderId, runs.length + 1);
    const charges = kind === 'CashOut' ? await this.payouts.charges(partnerUid) : 0n;
    const make = (rows: LoadedRows, terms: ScheduleTerms): NewEvent => {
      const account = rows.of(accountProjection).get(accountUid)!;
      return kind === 'Transfer'
        ? transferScheduled(account, transactionId, makes as ScheduledOrder, terms)
        : cashOutScheduled(
            account,
            { ...(makes as PayoutOrder), orderId: orderId!, id: transactionId },
            charges,
            terms,
          );
    };
    await this.ledger.execute({
      partition,
      reads: { schedules: [id], accounts: [accountUid] },
      creates: {
        transactions: [transactionId],
        scheduledTransactions: [transactionId],
        ...(orderId !== undefined && { orders: [orderKey(accountUid, orderId)] }),
      },
      decide: (rows) =>
        makeNextRun(
          rows.of(scheduleProjection).get(id)!,
          doneTimerId,
          { transactionId, timerId, nextTimerId },
          (terms) => [make(rows, terms)],
        ),
      metadata: { actor: 'timer', correlation: id },
    });
  }
}
