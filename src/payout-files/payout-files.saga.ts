import type { PoolClient } from 'pg';
import { addWork, dueAtOnce, type Follower, type NewWork, type RecordedEvent } from '../event-store/index.js';
import { PayoutFileAccepted, PayoutFileCompleted } from './domain/payout-file.events.js';
import { waitingLines } from './storage/waiting-lines.js';

export const RUN_FILE = 'run-payout-file';

/** Has each accepted file run. */
export const payoutFilesSaga: Follower = {
  name: 'payout-files',
  handles: new Set([PayoutFileAccepted.type]),

  keeps: waitingLines,

  intends: {
    kinds: new Map([[RUN_FILE, 'id']]),
    namedNoOwner: new Set([RUN_FILE]),
    types: new Set([PayoutFileAccepted.type, PayoutFileCompleted.type]),
    begunBy: (event) => workOf(event, event.time),
    endedBy: (event) => (PayoutFileCompleted.is(event) ? [`${event.data.id}/${RUN_FILE}`] : []),
  },

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<string[]> {
    const now = new Date();
    await addWork(
      client,
      partition,
      events.flatMap((event) => workOf(event, now)),
    );
    return [RUN_FILE];
  },
};

function workOf(event: RecordedEvent, now: Date): NewWork[] {
  if (!PayoutFileAccepted.is(event)) return [];
  const { id, partnerUid } = event.data;
  return [{ id, kind: RUN_FILE, subject: id, payload: { partnerUid }, dueAt: dueAtOnce(event, now) }];
}
