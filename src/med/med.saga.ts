import type { PoolClient } from 'pg';
import { HoldFilled } from '../accounts/index.js';
import { changeWork, dueAtOnce, type Follower, type NewWork, type RecordedEvent } from '../event-store/index.js';
import { RefundCompleted, RefundErrored } from '../pix/index.js';
import { after, earlier } from './domain/deadlines.js';
import {
  InfractionAgreed,
  InfractionAnswered,
  InfractionCancelled,
  InfractionClosed,
  InfractionDefended,
  InfractionRejected,
  InfractionReported,
  MedReturnCompleted,
  MedReturnErrored,
} from './domain/infraction.events.js';
import { RecoveryAccepted, RecoveryRefused, RecoveryRequested } from './domain/recovery.events.js';
import { MED_WORK, type Wake } from './workers/med-work.js';

const ENDS_CASE = [InfractionClosed, InfractionRejected, InfractionCancelled];
const ENDS_RECOVERY = [RecoveryAccepted, RecoveryRefused];
const ANSWERED = [InfractionDefended, InfractionAgreed, InfractionRejected];
const MOVES = [InfractionAgreed, MedReturnCompleted, MedReturnErrored];
const ENDS_REFUND = [RefundCompleted, RefundErrored];
const OTHERS = [InfractionReported, RecoveryRequested, HoldFilled];

const HANDLED = new Set(
  [...ENDS_CASE, ...ENDS_RECOVERY, ...ANSWERED, ...MOVES, ...ENDS_REFUND, ...OTHERS].map(({ type }) => type),
);

/** Turns what happens to cases and recoveries into work: deadlines, calls of the rail, returns. It calls nobody. */
export const medSaga: Follower = {
  name: 'med',
  handles: HANDLED,

  intends: {
    kinds: new Map([
      [MED_WORK.case, 'id'],
      [MED_WORK.answer, 'id'],
      [MED_WORK.recovery, 'id'],
    ]),
    hints: [MED_WORK.wake],
    namedNoOwner: new Set([MED_WORK.case, MED_WORK.recovery]),
    types: new Set([...HANDLED, InfractionAnswered.type]),
    begunBy: (event) => workOf(event, event.time).filter(({ kind }) => kind !== MED_WORK.wake),
    endedBy: (event) => [
      ...endedBy(event).map(({ kind, id }) => `${id}/${kind}`),
      ...(InfractionAnswered.is(event) ? [`${event.metadata.causation}/${MED_WORK.answer}`] : []),
    ],
  },

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<string[]> {
    const now = new Date();
    const begun = events.flatMap((event) => workOf(event, now));
    const ended = events.flatMap(endedBy).map(({ id }) => id);
    return changeWork(client, partition, begun, ended);
  },
};

function endedBy(event: RecordedEvent): { kind: string; id: string }[] {
  const { id } = event.data as { id: string };
  if (ENDS_CASE.some((type) => type.is(event))) return [{ kind: MED_WORK.case, id }];
  return ENDS_RECOVERY.some((type) => type.is(event)) ? [{ kind: MED_WORK.recovery, id }] : [];
}

function workOf(event: RecordedEvent, now: Date): NewWork[] {
  const soon = dueAtOnce(event, now);
  if (InfractionReported.is(event)) {
    const { id, partnerUid, decideUntil, returnUntil } = event.data;
    const dueAt = [new Date(decideUntil), new Date(returnUntil), after(soon, 1)].reduce(earlier);
    return [{ id, kind: MED_WORK.case, subject: id, payload: { partnerUid }, dueAt }, ...wakeOf(event, soon)];
  }
  if (RecoveryRequested.is(event)) {
    const { id, partnerUid } = event.data;
    return [{ id, kind: MED_WORK.recovery, subject: id, payload: { partnerUid }, dueAt: soon }];
  }
  return [...answerOf(event, soon), ...wakeOf(event, soon)];
}

function answerOf(event: RecordedEvent, dueAt: Date): NewWork[] {
  if (!ANSWERED.some((type) => type.is(event))) return [];
  const { id: subject } = event.data as { id: string };
  const payload = InfractionDefended.is(event) ? 'Defence' : 'Decision';
  return [{ id: event.id, kind: MED_WORK.answer, subject, payload, dueAt }];
}

/** Its id is no other work's: that of an answer to the same event is turned in its last digit. */
function wakeOf(event: RecordedEvent, soon: Date): NewWork[] {
  const wake = (subject: string, by: Wake['of'], dueAt: Date): NewWork[] => {
    const payload: Wake = { of: by, partnerUid: (event.data as { partnerUid: string }).partnerUid };
    return [{ id: beside(event.id), kind: MED_WORK.wake, subject, payload, dueAt }];
  };
  if (HoldFilled.is(event)) return wake(event.data.holdId, 'Hold', soon);
  if (RefundErrored.is(event)) return wake(event.data.refundOf, 'Deposit', soon);
  if (RefundCompleted.is(event))
    return event.data.direction === 'Out' ? wake(event.data.refundOf, 'Deposit', soon) : [];
  // A refund may have ended while the report was sized.
  if (InfractionReported.is(event)) return wake(event.data.id, 'Infraction', soon);
  if (MedReturnErrored.is(event)) return wake(event.data.id, 'Infraction', new Date(event.data.retryAt));
  if (InfractionAgreed.is(event)) return wake(event.data.id, 'Agreement', soon);
  return MedReturnCompleted.is(event) ? wake(event.data.id, 'Infraction', soon) : [];
}

function beside(id: string): string {
  return id.slice(0, -1) + (Number.parseInt(id.slice(-1), 16) ^ 1).toString(16);
}
