import { Command } from '@nestjs/cqrs';
import type { ReceivedPayment } from '../../rails/pix-rail.js';
import type { PaymentDisposition } from '../../rails/rail-notifications.js';

/** The rail reports a payment that came in, by notification, sweep or query. A repetition gives the same answer. */
export class ReceivePayment extends Command<PaymentDisposition> {
  constructor(readonly payment: ReceivedPayment) {
    super();
  }
}
