import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Notified } from '../bcb/dialect.js';
import { BcbNotifications, confirmedOf, type NotificationReceiver } from '../bcb/notifications.js';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rail-notifications.js';
import { isOwnPaymentId } from '../../domain/values/payment-id.js';
import { SentPayments } from './sent-payments.js';
import { outcomeOf, returnsOf } from './states.js';
import { payoutExtras } from './extras.js';

/** `tipo` of notifications of payments that we sent. */
const SENT = 'SOLICITACAO';

/** Receives the PSP's callbacks: of payments in, by the standard, and of payments that we sent. All are only hints. */
@Injectable()
export class EfiNotifications implements NotificationReceiver {
  readonly #logger = new Logger('Efí rail');

  constructor(
    private readonly received: BcbNotifications,
    private readonly payments: SentPayments,
    @Inject(RAIL_NOTIFICATIONS) private readonly inbox: RailNotifications,
  ) {}

  async receive(notified: readonly Notified[]): Promise<number> {
    const [sent, received] = [notified.filter(isOfSent), notified.filter((one) => !isOfSent(one))];
    const results: PromiseSettledResult<boolean | number>[] = await Promise.allSettled([
      this.received.receive(received),
    ]);
    for (const one of sent) results.push(...(await Promise.allSettled([this.#receiveSent(one)])));
    return confirmedOf(results);
  }

  async #receiveSent({ gnExtras }: Notified): Promise<boolean> {
    const { idEnvio } = (gnExtras ?? {}) as { idEnvio?: unknown };
    // Other systems may send from the account too; their identifiers have another shape.
    if (!isOwnPaymentId(idEnvio)) return false;
    const payment = await this.payments.find(idEnvio);
    if (!payment) {
      this.#logger.warn({ idEnvio }, 'a notification names a payment of ours that the PSP does not know');
      return false;
    }
    await this.inbox.cashOutChanged(idEnvio, outcomeOf(payment, payoutExtras(gnExtras)));
    for (const returned of returnsOf(payment)) await this.inbox.moneyReturned(returned);
    return true;
  }
}

function isOfSent({ tipo }: Notified): boolean {
  return tipo === SENT;
}
