import { defineEvent } from '../../event-store/index.js';

/** Where messages go. `secretId` is the row of `secret` in the event's partition. */
export interface WebhookAddress {
  readonly url: string;
  readonly header?: { readonly name: string; readonly secretId: string };
}

/** Streams are `account-webhook-<id>`, one for each request: the newest event of an account says where it is told. */
export const AccountWebhookSet = defineEvent<
  WebhookAddress & {
    id: string;
    partnerUid: string;
    accountUid: string;
  }
>()('AccountWebhookSet', 'A partner registered the address at which it is told what happens to an account.');

export const AccountWebhookRemoved = defineEvent<{
  id: string;
  partnerUid: string;
  accountUid: string;
}>()('AccountWebhookRemoved', 'A partner is no longer told what happens to an account.');

/** Streams are `webhook-test-<id>`; the event's own identifier is the delivery's. */
export const WebhookTestRequested = defineEvent<
  WebhookAddress & {
    partnerUid: string;
    accountUid: string;
  }
>()('WebhookTestRequested', 'A partner asked for a signed sample at an address.');

/** Streams are `webhook-redelivery-<id>`, one for each request. */
export const WebhookRedeliveryRequested = defineEvent<{
  deliveryId: string;
  partnerUid: string;
  accountUid: string;
}>()(
  'WebhookRedeliveryRequested',
  'A partner or the operator asked for a delivery to be made again, from the first step.',
);
