import type { PoolClient } from 'pg';
import { addWork, type Follower, type NewWork, type RecordedEvent, removeWork } from '../event-store/index.js';
import { CashOutCancelled, CashOutRefused, CashOutRegistered, CashOutScheduled } from '../pix/index.js';
import { TransferCancelled, TransferRefused, TransferScheduled, TransferSettled } from '../transfers/index.js';

/** The kind of work that carries out a transaction when its time has come. */
export const RUN_SCHEDULED = 'scheduled-run';

const BEGINNINGS = [TransferScheduled, CashOutScheduled];
const CANCELLATIONS = [TransferCancelled, CashOutCancelled];
const HANDLED = new Set([...BEGINNINGS, ...CANCELLATIONS].map(({ type }) => type));
/** What ends the work; the first ones only where the stream had begun before. */
const ENDINGS = [TransferSettled, CashOutRegistered, TransferRefused, CashOutRefused, ...CANCELLATIONS];

/** Turns scheduled transactions into work that is due at their time. It carries nothing out itself. */
export const schedulesSaga: Follower = {
  name: 'schedules',
  handles: HANDLED,

  intends: {
    kinds: new Map([[RUN_SCHEDULED, 'subject']]),
    types: new Set([...HANDLED, ...ENDINGS.map(({ type }) => type)]),
    begunBy: workOf,
    endedBy: (event) =>
      event.version > 1 && ENDINGS.some((type) => type.is(event))
        ? [`${(event.data as { id: string }).id}/${RUN_SCHEDULED}`]
        : [],
  },

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<string[]> {
    const work = events.flatMap(workOf);
    const cancelled = events.flatMap((event) =>
      TransferCancelled.is(event) || CashOutCancelled.is(event) ? [event.data.timerId] : [],
    );
    await addWork(client, partition, work);
    await removeWork(client, partition, cancelled);
    return work.length > 0 ? [RUN_SCHEDULED] : [];
  },
};

function workOf(event: RecordedEvent): NewWork[] {
  if (!TransferScheduled.is(event) && !CashOutScheduled.is(event)) return [];
  const { id, partnerUid, schedule } = event.data;
  const dueAt = new Date(schedule.scheduledFor);
  return [{ id: schedule.timerId, kind: RUN_SCHEDULED, subject: id, payload: { partnerUid }, dueAt }];
}
