import type { Notification } from '../../accounts/index.js';
import type { RecordedEvent } from '../../event-store/index.js';
import { chainOfSubject, type NewDelivery } from './delivery.js';
import type { WebhookAddress } from './webhook.events.js';

/** An address of an account, as registered by one request. */
export interface RegisteredAddress extends WebhookAddress {
  readonly id: string;
  readonly partnerUid: string;
}

/** The delivery that tells of an event at the address that its account had then. */
export function notificationDelivery(
  event: RecordedEvent,
  { type, accountUid, subjectId, data }: Notification,
  { id: addressId, partnerUid, url, header }: RegisteredAddress,
): NewDelivery {
  return {
    id: event.id,
    position: event.position,
    chain: chainOfSubject(subjectId, addressId),
    transactionId: null,
    transactionState: null,
    type,
    accountUid,
    partnerUid,
    url,
    header: header ?? null,
    material: { notification: { type, timestamp: event.time.toISOString(), data } },
  };
}
