import type { PoolClient, QueryResultRow } from 'pg';
import { notifyingTypes } from '../accounts/index.js';
import type { Follower, RecordedEvent, RunStatement } from '../event-store/index.js';
import { CashOutRegistered } from '../pix/index.js';
import { TransferSettled } from '../transfers/index.js';
import type { RetrySchedule } from '../platform/outbound/retry-schedule.js';
import { WEBHOOK_SOURCE } from './delivery-work.js';
import { addDeliveries, putFirst, redeliver } from './delivery-table.js';
import { deliveriesOf } from './deliveries-of.js';
import { deliveryStates } from './delivery-states.js';
import { keptDeliveries } from './kept-deliveries.js';
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
export function webhooksSaga(schedule: RetrySchedule, asked: (targets: readonly DeliveryTarget[]) => void): Follower {
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

    keeps: { ...keptDeliveries, states: deliveryStates(schedule) },

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
      const again = events
        .filter((event) => WebhookRedeliveryRequested.is(event))
        .map(({ data, position }) => ({ id: data.deliveryId, position }));
      const targets = await redeliver(client, partition, again, new Date(now));
      asked([...targets, ...tests]);
      return deliveries.length + again.length > 0 ? [WEBHOOK_SOURCE] : [];
    },
  };
}
