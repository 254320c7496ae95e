import { Command } from '@nestjs/cqrs';
import { Homed } from '../../../platform/workers/index.js';
import { partitionOfTxid } from '../../domain/values/txid.js';
import type { ReceivedPayment } from '../../rails/pix-rail.js';
import type { PaymentDisposition } from '../../rails/rail-notifications.js';

/** The rail reports a payment that came in, by notification, sweep or query. A repetition gives the same answer. */
@Homed<ReceivePayment>(({ payment: { txid } }) => (txid === null ? undefined : partitionOfTxid(txid)), 'always')
export class ReceivePayment extends Command<PaymentDisposition> {
  constructor(readonly payment: ReceivedPayment) {
    super();
  }
}
