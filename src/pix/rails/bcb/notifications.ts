import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rail-notifications.js';
import { API_PIX_DIALECT, type ApiPixDialect, type Notified } from './dialect.js';
import { outcomeOf } from './devolucoes.js';
import { isOurs } from './messages.js';
import { ReceivedList } from './received-list.js';

const CONCURRENCY = 8;

/** Injects the receiver of the PSP's notifications. */
export const NOTIFICATION_RECEIVER = Symbol('notification receiver');

export interface NotificationReceiver {
  receive(notified: readonly Notified[]): Promise<number>;
}

/**
 * Receives the PSP's notifications. A notification is only a hint: the payment that it names is read from the PSP
 * (`GET /pix/{e2eid}`) over our mutual TLS, and only that goes into the ledger. A forged one costs a query, no more.
 */
@Injectable()
export class BcbNotifications implements NotificationReceiver {
  readonly #logger = new Logger('BCB rail');

  constructor(
    private readonly received: ReceivedList,
    @Inject(RAIL_NOTIFICATIONS) private readonly inbox: RailNotifications,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(API_PIX_DIALECT) private readonly dialect: ApiPixDialect,
  ) {}

  /**
   * One that fails holds up none of the others.
   * @returns how many of them the PSP confirms as payments to our key
   * @throws RailUnavailable, and errors of the ledger, at the end: then the PSP repeats its notification, and the sweep
   *   finds them too
   */
  async receive(notified: readonly Notified[]): Promise<number> {
    const distinct = [...new Map(notified.map((one) => [one.endToEndId, one])).values()];
    const results: PromiseSettledResult<boolean>[] = [];
    for (let first = 0; first < distinct.length; first += CONCURRENCY) {
      const several = distinct.slice(first, first + CONCURRENCY).map((one) => this.#receiveOne(one));
      results.push(...(await Promise.allSettled(several)));
    }
    return confirmedOf(results);
  }

  async #receiveOne(notified: Notified): Promise<boolean> {
    const { endToEndId } = notified;
    const pix = await this.received.find(endToEndId);
    if (!pix) {
      this.#logger.warn({ endToEndId }, 'a notification names a payment that the PSP does not know');
      return false;
    }
    if (!isOurs(pix.key, this.config.pixKey)) return false;
    const extras = this.dialect.extras(notified);
    await this.inbox.paymentReceived({ ...pix.payment, ...(extras && { extras }) });
    for (const devolucao of pix.devolucoes) {
      await this.inbox.refundChanged(devolucao.id, outcomeOf(devolucao), endToEndId);
    }
    return true;
  }
}

/** @returns how many are confirmed. @throws the first failure */
export function confirmedOf(results: readonly PromiseSettledResult<boolean | number>[]): number {
  return results.reduce((sum, result) => {
    if (result.status === 'rejected') throw result.reason;
    return sum + Number(result.value);
  }, 0);
}
