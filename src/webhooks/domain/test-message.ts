import type { EventOf } from '../../event-store/index.js';
import type { NewDelivery } from './delivery.js';
import type { WebhookTestRequested } from './webhook.events.js';

/** The order id that marks a sample: nothing else does. */
const TEST_ORDER = 'webhook-test';

/** A sample of a completed deposit of 10.00, as in contract 2.7. It has no transaction; its `id` is its own. */
export function testDelivery(event: EventOf<typeof WebhookTestRequested>): NewDelivery {
  const { partnerUid, accountUid, url, header } = event.data;
  const at = event.time.toISOString();
  return {
    id: event.id,
    position: event.position,
    chain: event.id,
    transactionId: null,
    transactionState: 'Completed',
    type: null,
    accountUid,
    partnerUid,
    url,
    header: header ?? null,
    material: {
      fields: {
        id: event.id,
        transactionState: 'Completed',
        transactionDate: at,
        transactionAmount: '10.00',
        transactionType: 'Credit',
        transactionPaymentType: 'PIX',
        transactionOrderId: TEST_ORDER,
        transactionCharges: '0.00',
        webhookUrl: url,
        receiptToken: null,
        transactionReceiptDate: null,
        transactionReceiptVoucher: '',
        stateRegisteredDate: at,
        stateCompletedDate: at,
        other: {},
      },
      partyRole: 'payer',
      party: null,
      description: null,
    },
  };
}
