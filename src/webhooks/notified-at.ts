import type { Notification } from '../accounts/index.js';
import type { RecordedEvent } from '../event-store/index.js';
import type { AccountWebhook } from './account-webhook.projection.js';
import { chainOfSubject, type NewDelivery } from './domain/delivery.js';

/** The delivery that tells of an event at the address that its account had then; `undefined` where it had none. */
export function notifiedAt(
  event: RecordedEvent,
  { type, accountUid, subjectId, data }: Notification,
  address: AccountWebhook | undefined,
): NewDelivery | undefined {
  if (!address || address.url === null) return undefined;
  const { id: addressId, partnerUid, url, headerName, headerSecret } = address;
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
    header: headerName !== null && headerSecret !== null ? { name: headerName, secretId: headerSecret } : null,
    material: { notification: { type, timestamp: event.time.toISOString(), data } },
  };
}
