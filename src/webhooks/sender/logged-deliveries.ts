import { Injectable } from '@nestjs/common';
import { type Notification, notificationOf, transactionOf } from '../../accounts/index.js';
import { type EventOf, type RecordedEvent, WholeStreams } from '../../event-store/index.js';
import { streamsOfPayment } from '../../pix/index.js';
import { Database } from '../../platform/database/index.js';
import {
  type AccountWebhook,
  accountWebhookOf,
  accountWebhooksBefore,
  accountWebhookTable,
} from '../account-webhook.projection.js';
import type { DueDelivery } from '../deliveries/delivery-work.js';
import { changedTransaction, deliveryOf } from '../domain/change-of-state.js';
import type { NewDelivery } from '../domain/delivery.js';
import { testDelivery } from '../domain/test-message.js';
import { AccountWebhookRemoved, AccountWebhookSet, WebhookTestRequested } from '../domain/webhook.events.js';
import { sentFields } from '../deliveries/kept-deliveries.js';
import { notifiedAt } from '../notified-at.js';

type AddressEvent = EventOf<typeof AccountWebhookSet | typeof AccountWebhookRemoved>;

/**
 * Deliveries as their events make them, before anything of them is decrypted. The password of the service's role is
 * enough to change a row: it could name another's receiver, person or secret, be sent, and be put back without a trace.
 * An event cannot. So rows, those of transactions and of addresses too, say only where to look in the log.
 */
@Injectable()
export class LoggedDeliveries {
  constructor(
    private readonly database: Database,
    private readonly streams: WholeStreams,
  ) {}

  /**
   * One read of the log for all; one more before it where accounts are told.
   * @returns each as its event makes it; an error where its row says anything else
   */
  async find(partition: number, deliveries: readonly DueDelivery[]): Promise<(NewDelivery | Error)[]> {
    const payments = deliveries.flatMap(({ transactionId }) => transactionId ?? []);
    const others = deliveries.filter(({ transactionId }) => transactionId === null);
    const addresses = await this.#addressesOf(partition, others);
    const found = await this.streams.readMany(
      partition,
      [...payments.flatMap(streamsOfPayment), ...addresses.map((id) => `account-webhook-${id}`)],
      others.map(({ position }) => position),
    );
    const log = new FoundEvents([...found.values()]);
    return deliveries.map((delivery) => {
      try {
        return assertSame(delivery, log.deliveryOf(delivery.id));
      } catch (error) {
        return error as Error;
      }
    });
  }

  async #addressesOf(partition: number, deliveries: readonly DueDelivery[]): Promise<string[]> {
    const moments = deliveries.filter(({ type }) => type !== null);
    if (moments.length === 0) return [];
    const rows = await this.database.lookUp(accountWebhooksBefore(partition, moments));
    return rows.map((row) => accountWebhookTable.parse(row).id);
  }
}

class FoundEvents {
  readonly #byId: ReadonlyMap<string, RecordedEvent>;
  readonly #byStream: ReadonlyMap<string, readonly RecordedEvent[]>;
  /** By account, oldest first. */
  readonly #addresses: ReadonlyMap<string, readonly AccountWebhook[]>;

  /** @param events oldest first */
  constructor(events: readonly RecordedEvent[]) {
    this.#byId = new Map(events.map((event) => [event.id, event]));
    this.#byStream = Map.groupBy(events, ({ stream }) => stream);
    this.#addresses = Map.groupBy(events.filter(isOfAddress).map(accountWebhookOf), ({ accountUid }) => accountUid);
  }

  /** @throws where events contradict one another */
  deliveryOf(id: string): NewDelivery | undefined {
    const event = this.#byId.get(id);
    if (!event) return undefined;
    const transactionId = changedTransaction(event);
    if (transactionId !== undefined) return this.#changeOfState(transactionId, event);
    if (WebhookTestRequested.is(event)) return testDelivery(event);
    const notification = notificationOf(event);
    return notification && notifiedAt(event, notification, this.#addressAt(event, notification));
  }

  #changeOfState(transactionId: string, event: RecordedEvent): NewDelivery | undefined {
    const events = this.#byStream.get(event.stream)!;
    const { partnerUid } = events[0]!.data as { readonly partnerUid: string };
    return deliveryOf(event, transactionOf(transactionId, events), partnerUid);
  }

  #addressAt(event: RecordedEvent, { accountUid }: Notification): AccountWebhook | undefined {
    return this.#addresses.get(accountUid)?.findLast(({ position }) => position < event.position);
  }
}

function isOfAddress(event: RecordedEvent): event is AddressEvent {
  return AccountWebhookSet.is(event) || AccountWebhookRemoved.is(event);
}

/** @throws where the event makes none, or sends something else, or elsewhere */
function assertSame(delivery: DueDelivery, made: NewDelivery | undefined): NewDelivery {
  if (!made) throw new Error('no event of the log makes this delivery');
  const [found, expected] = [sentFields(delivery), sentFields(made)];
  const field = Object.keys(found).find((name) => found[name] !== expected[name]);
  if (field) throw new Error(`${field} of this delivery is not what its event makes`);
  return made;
}
