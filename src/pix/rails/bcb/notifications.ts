import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { RAIL_NOTIFICATIONS, type RailNotifications } from '../rail-notifications.js';
import { ApiPixClient } from './api-pix-client.js';
import { API_PIX_DIALECT, type ApiPixDialect, type Notified } from './dialect.js';
import { outcomeOf } from './devolucoes.js';
import { isOurs, MalformedAnswer, type Pix, readPix } from './messages.js';
import { ApiPixRefusal } from './problem.js';

const AT_ONCE = 8;

/** Injects who takes the PSP's notifications in. */
export const NOTIFICATION_TAKER = Symbol('notification taker');

export interface NotificationTaker {
  take(notified: readonly Notified[]): Promise<number>;
}

/**
 * Takes the PSP's notifications in. A notification is a hint and no more: what it names is read from the PSP
 * (`GET /pix/{e2eid}`), over our own mutual TLS, and only that goes into the ledger. A forged one can make us ask.
 */
@Injectable()
export class BcbNotifications implements NotificationTaker {
  readonly #logger = new Logger('BCB rail');

  constructor(
    private readonly client: ApiPixClient,
    @Inject(RAIL_NOTIFICATIONS) private readonly inbox: RailNotifications,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(API_PIX_DIALECT) private readonly dialect: ApiPixDialect,
  ) {}

  /**
   * @returns how many of them the PSP confirms to have been paid to our key
   * @throws RailUnavailable and what the ledger throws; the PSP then repeats its notification, and the sweep looks too
   */
  async take(notified: readonly Notified[]): Promise<number> {
    const apart = [...new Map(notified.map((one) => [one.endToEndId, one])).values()];
    let confirmed = 0;
    for (let first = 0; first < apart.length; first += AT_ONCE) {
      const results = await Promise.all(apart.slice(first, first + AT_ONCE).map((one) => this.#takeOne(one)));
      confirmed += results.filter(Boolean).length;
    }
    return confirmed;
  }

  async #takeOne(notified: Notified): Promise<boolean> {
    const { endToEndId } = notified;
    const pix = await this.#read(endToEndId);
    if (!pix) {
      this.#logger.warn({ endToEndId }, 'a notification names a payment that the PSP does not know');
      return false;
    }
    if (!isOurs(pix, this.config.pixKey)) return false;
    const told = this.dialect.told(notified);
    await this.inbox.paymentReceived({ ...pix.payment, ...(told && { told }) });
    for (const devolucao of pix.devolucoes) await this.inbox.refundChanged(devolucao.id, outcomeOf(devolucao));
    return true;
  }

  async #read(endToEndId: string): Promise<Pix | undefined> {
    try {
      const path = `/pix/${encodeURIComponent(endToEndId)}`;
      const pix = readPix(await this.client.call({ operation: 'GET pix by e2eid', method: 'GET', path }));
      if (pix.payment.endToEndId !== endToEndId) throw new MalformedAnswer('another pix than was asked for');
      return pix;
    } catch (error) {
      if (error instanceof ApiPixRefusal) return undefined;
      throw error;
    }
  }
}
