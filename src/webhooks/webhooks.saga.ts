import type { PoolClient, QueryResultRow } from 'pg';
import { notifyingTypes } from '../accounts/index.js';
import type { Follower, RecordedEvent, RunStatement } from '../event-store/index.js';
import { CashOutRegistered } from '../pix/index.js';
import { TransferSettled } from '../transfers/index.js';
import type { RetrySchedule } from '../platform/outbound/retry-schedule.js';
import { WEBHOOK_SOURCE } from './deliveries/delivery-work.js';
import { addDeliveries, putFirst, redeliver, type Redelivery } from './deliveries/delivery-table.js';
import { deliveriesOf } from './deliveries/deliveries-of.js';
import { deliveryStates } from './deliveries/delivery-states.js';
import { keptDeliveries } from './deliveries/kept-deliveries.js';
import type { DeliverySeals } from './deliveries/delivery-seals.js';
import { CHANGES } from './domain/change-of-state.js';
import type { DeliveryTarget } from './domain/delivery.js';
import { WebhookRedeliveryRequested, WebhookTestRequested } from './domain/webhook.events.js';

/** Only those of scheduled transactions are told: they wait for the next poll, so that all the others wake nobody. */
const SELDOM_TOLD: ReadonlySet<string> = new Set([CashOutRegistered.type, TransferSettled.type]);

/**
 * Follows the log and adds deliveries in the transaction of its checkpoint: one for each change of state after the
 * transaction's creation, one for each event that an account is told of, one for each requested test. It sends nothing.
 * A delivery's id is its event's, and an existing one is left as it is, so that even a reset checkpoint sends nothing
 * twice.
 * @param asked called with the receivers of tests and redeliveries; a hint that may be lost
 */
export function webhooksSaga(
  schedule: RetrySchedule,
  seals: DeliverySeals,
  asked: (targets: readonly DeliveryTarget[]) => void,
): Follower {
  const types = new Set([
    ...CHANGES.keys(),
    ...notifyingTypes(),
    WebhookTestRequested.type,
    WebhookRedeliveryRequested.type,
  ]);
  return {
    name: 'webhooks',
    handles: types,
    urgent: new Set([...types].filter((type) => !SELDOM_TOLD.has(type))),

    keeps: { ...keptDeliveries(seals), states: deliveryStates(schedule) },

    async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<string[]> {
      const now = Date.now();
      const run: RunStatement = async (statement) => (await client.query<QueryResultRow>({ ...statement })).rows;
      const deliveries = await deliveriesOf(run, partition, events);
      const tests = deliveries.filter(({ transactionId, type }) => transactionId === null && type === null);
      await addDeliveries(client, partition, deliveries, new Date(now + schedule[0]!));
      if (tests.length > 0) {
        await run(
          putFirst(
            partition,
            tests.map(({ id }) => id),
          ),
        );
      }
      const targets = await redeliver(client, partition, newestOf(events), new Date(now));
      asked([...targets, ...tests]);
      return deliveries.length + targets.length > 0 ? [WEBHOOK_SOURCE] : [];
    },
  };
}

/** The newest request of each delivery: with the mark of an earlier one it would look as if this one was forgotten. */
function newestOf(events: readonly RecordedEvent[]): Redelivery[] {
  const requests = events.filter((event) => WebhookRedeliveryRequested.is(event));
  const newest = new Map(requests.map(({ data, position }) => [data.deliveryId, position]));
  return [...newest].map(([id, position]) => ({ id, position }));
}
