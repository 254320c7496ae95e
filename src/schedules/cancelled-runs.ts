import type { LeftUndone, RecordedEvent } from '../event-store/index.js';
import { CashOutCancelled, CashOutRefused, CashOutRegistered } from '../pix/index.js';
import { TransferCancelled, TransferRefused, TransferSettled } from '../transfers/index.js';
import { ScheduleCancelled, ScheduleRunMade } from './domain/schedule.events.js';

export const CANCELLATIONS = [TransferCancelled, CashOutCancelled];
/** What ends the work of a transaction that waits; the first ones only where the stream had begun before. */
export const ENDINGS = [TransferSettled, CashOutRegistered, TransferRefused, CashOutRefused, ...CANCELLATIONS];

const ENDING_TYPES = new Set<string>(ENDINGS.map(({ type }) => type));

/**
 * A cancelled schedule leaves no run that waits, whatever their rows were when it was decided. Versions before
 * cancelled the newest run only: so no other is looked at.
 */
export const cancelledRuns: LeftUndone = {
  check: 'runs of cancelled schedules',
  watch() {
    /** The newest run of each schedule, while it waits. */
    const newest = new Map<string, string>();
    const scheduleOf = new Map<string, string>();
    /** Runs that waited when their schedule was cancelled. */
    const left = new Map<string, RecordedEvent>();

    const ended = (schedule: string) => {
      const run = newest.get(schedule);
      newest.delete(schedule);
      if (run !== undefined) scheduleOf.delete(run);
      return run;
    };
    return {
      see(event) {
        if (ScheduleRunMade.is(event)) {
          const { id, transactionId } = event.data;
          ended(id);
          newest.set(id, transactionId);
          scheduleOf.set(transactionId, id);
        } else if (ScheduleCancelled.is(event)) {
          const run = ended(event.data.id);
          if (run !== undefined) left.set(run, event);
        } else if (event.version > 1 && ENDING_TYPES.has(event.type)) {
          const { id } = event.data as { id: string };
          const schedule = scheduleOf.get(id);
          if (schedule !== undefined) ended(schedule);
          const isLeft = left.delete(id);
          if (isLeft && !CANCELLATIONS.some((type) => type.is(event))) {
            const expected = 'nothing: its schedule was cancelled before';
            return { event, subject: `transaction ${id}`, expected, found: event.type };
          }
        }
        return undefined;
      },
      left: () =>
        [...left].map(([id, event]) => {
          return { event, subject: `transaction ${id}`, expected: 'cancelled with its schedule', found: 'Scheduled' };
        }),
    };
  },
};
