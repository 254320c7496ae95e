import { notificationOf } from '../accounts/index.js';
import type { RecordedEvent } from '../event-store/index.js';
import type { AccountWebhook } from './account-webhook.projection.js';
import { notificationDelivery } from './domain/account-notification.js';
import type { NewDelivery } from './domain/delivery.js';

/** The delivery of an event at the address that its account had then; `undefined` where it had none, or is not told. */
export function notifiedAt(event: RecordedEvent, address: AccountWebhook | undefined): NewDelivery | undefined {
  const notification = notificationOf(event);
  if (!notification || !address || address.url === null) return undefined;
  const { id, partnerUid, url, headerName, headerSecret } = address;
  const header = headerName !== null && headerSecret !== null && { name: headerName, secretId: headerSecret };
  return notificationDelivery(event, notification, { id, partnerUid, url, ...(header && { header }) });
}
