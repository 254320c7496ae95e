import { defineEvent } from '../../event-store/index.js';

/** Streams are `webhook-test-<id>`; the event's own identifier is the delivery's. */
export const WebhookTestRequested = defineEvent<{
  partnerUid: string;
  accountUid: string;
  url: string;
  /** `secretId` is the row of `secret` in the event's partition. */
  header?: { name: string; secretId: string };
}>()('WebhookTestRequested', 'A partner asked for a signed sample at an address.');

/** Streams are `webhook-redelivery-<id>`, one for each request. */
export const WebhookRedeliveryRequested = defineEvent<{
  deliveryId: string;
  partnerUid: string;
  accountUid: string;
}>()(
  'WebhookRedeliveryRequested',
  'A partner or the operator asked for a delivery to be made again, from the first step.',
);
