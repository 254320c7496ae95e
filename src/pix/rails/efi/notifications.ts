import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Notified } from '../bcb/dialect.js';
import { BcbNotifications, type NotificationTaker } from '../bcb/notifications.js';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rail-notifications.js';
import { uuidOfTxid } from '../../domain/values/txid.js';
import { SentPayments } from './sent-payments.js';
import { returnsOf } from './sent-list.js';
import { outcomeOf } from './states.js';
import { toldOfPayment } from './told.js';

/** `tipo` of news about a payment of ours. */
const SENT = 'SOLICITACAO';

/** Takes the PSP's callbacks in: of what came in as the standard has it, and of what we sent. All are hints only. */
@Injectable()
export class EfiNotifications implements NotificationTaker {
  readonly #logger = new Logger('Efí rail');

  constructor(
    private readonly received: BcbNotifications,
    private readonly payments: SentPayments,
    @Inject(RAIL_NOTIFICATIONS) private readonly inbox: RailNotifications,
  ) {}

  async take(notified: readonly Notified[]): Promise<number> {
    const [sent, received] = [notified.filter(isOfSent), notified.filter((one) => !isOfSent(one))];
    let confirmed = await this.received.take(received);
    for (const one of sent) if (await this.#takeSent(one)) confirmed += 1;
    return confirmed;
  }

  async #takeSent({ gnExtras }: Notified): Promise<boolean> {
    const { idEnvio } = (gnExtras ?? {}) as { idEnvio?: unknown };
    // Others may send from the account too; theirs are not of our shape.
    if (typeof idEnvio !== 'string' || uuidOfTxid(idEnvio) === undefined) return false;
    const payment = await this.payments.find(idEnvio);
    if (!payment) {
      this.#logger.warn({ idEnvio }, 'a notification names a payment of ours that the PSP does not know');
      return false;
    }
    await this.inbox.cashOutChanged(idEnvio, outcomeOf(payment, toldOfPayment(gnExtras)));
    for (const returned of returnsOf(payment)) await this.inbox.moneyReturned(returned);
    return true;
  }
}

function isOfSent({ tipo }: Notified): boolean {
  return tipo === SENT;
}
