import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { ApiPixClient } from '../bcb/api-pix-client.js';
import { AROUND_MS, DAY_MS, nextPosition, parseCursor, toCursor, turned } from '../bcb/list-position.js';
import { whole } from '../bcb/answer-members.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import type { RailMovement, RailPage, Received } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import { readSentPage, type SentPage } from './messages.js';
import { outcomeOf, returnsOf, type SentPayment } from './states.js';

const PAGE = '100';
/** The payee's bank can return money up to the ninetieth day, plus a day of margin. */
const RETURN_DAYS = 91;
/** The list filters by creation: a payment may settle long after. */
const SETTLING_DAYS = 2;

/** The PSP's list of sent payments: `GET …/enviados`. Payments that other systems send from the account are skipped. */
@Injectable()
export class SentList {
  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Ended payments, of those that were created in the interval. */
  async endedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>> {
    return this.#read({ beginning: from, to, cursor, filter: {} }, (sent) => {
      const outcome = outcomeOf(sent);
      const hasEnded = outcome.status !== 'Pending';
      return hasEnded ? [{ kind: 'PaymentEnded' as const, paymentId: sent.idEnvio, outcome }] : [];
    });
  }

  /**
   * Money that was returned in the interval. The end of its payment comes first: `endedBetween` may not have it, and
   * the return alone does not say when the payment was settled, nor to whom.
   */
  async returnedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>> {
    const itemsOf = (sent: SentPayment): Received[] => {
      const [outcome, returns] = [outcomeOf(sent), returnsOf(sent)];
      const isTold = outcome.status === 'Settled' && returns.length > 0;
      return [
        ...(isTold ? [{ kind: 'PaymentEnded' as const, paymentId: sent.idEnvio, outcome }] : []),
        ...returns.map((returned) => ({ kind: 'ReturnedMoney' as const, returned })),
      ];
    };
    return this.#returns({ from, to, cursor }, itemsOf);
  }

  async paymentsOut(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>> {
    const beginning = new Date(from.getTime() - SETTLING_DAYS * DAY_MS);
    // By the PSP's own examples a payment may have settled before it was created.
    const created = new Date(to.getTime() + AROUND_MS);
    const page = await this.#read({ beginning, to: created, cursor, filter: { status: 'REALIZADO' } }, (sent) => {
      const { endToEndId: id, amount, at, status } = sent;
      return status === 'REALIZADO' && at >= from && at < to ? [{ kind: 'PaymentOut' as const, id, amount, at }] : [];
    });
    return whole(page);
  }

  async refundsIn(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>> {
    const page = await this.#returns({ from, to, cursor }, (sent) =>
      sent.returns.map(({ returnId: id, amount, at }) => ({ kind: 'RefundIn' as const, id, amount, at })),
    );
    return whole(page);
  }

  #returns<T>(
    { from, to, ...asked }: Pick<Reading, 'to' | 'cursor'> & { readonly from: Date },
    itemsOf: (sent: SentPayment) => T[],
  ): Promise<RailPage<T>> {
    const beginning = new Date(from.getTime() - RETURN_DAYS * DAY_MS);
    const filter = { devolucaoPresente: 'true' };
    return this.#read({ ...asked, beginning, to, filter }, (sent) => {
      const returns = sent.returns.filter(({ at }) => at >= from && at < to);
      return itemsOf({ ...sent, returns });
    });
  }

  async #read<T>(
    { beginning, to, cursor, filter }: Reading,
    itemsOf: (sent: SentPayment) => T[],
  ): Promise<RailPage<T>> {
    const position = parseCursor(cursor, beginning);
    const windowMs = this.config.efi!.queryDays * DAY_MS;
    const end = new Date(Math.min(position.start.getTime() + windowMs, to.getTime()));
    const query = {
      inicio: position.start.toISOString(),
      fim: end.toISOString(),
      ...filter,
      'paginacao.paginaAtual': String(position.page),
      'paginacao.itensPorPagina': PAGE,
    };
    const page = turned(position, await this.#page(query));
    const { sent, unread } = page;
    const inOrder = sent.toSorted((one, other) => one.at.getTime() - other.at.getTime());
    const nextCursor = toCursor(nextPosition(position, page, to, windowMs));
    return { items: inOrder.flatMap(itemsOf), nextCursor, unread };
  }

  async #page(query: Readonly<Record<string, string>>): Promise<SentPage> {
    try {
      const base = this.config.efi!.ownUrl;
      const request = { operation: 'GET gn pix', method: 'GET', base, path: '/pix/enviados', query } as const;
      return readSentPage(await this.client.call(request));
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      // Some versions answer an empty list so; a bare 404 may be a proxy's.
      if (error.meaning === 'NotFound' && !error.isBare) return { sent: [], pages: 1, knownBy: '', unread: [] };
      throw new RailUnavailable(`the PSP does not list payments: ${error.message}`);
    }
  }
}

interface Reading {
  readonly beginning: Date;
  readonly to: Date;
  readonly cursor: string | null;
  readonly filter: Readonly<Record<string, string>>;
}
