import { Inject, Injectable } from '@nestjs/common';
import { type ApiPixSettings, type Config, CONFIG } from '../../../platform/config/index.js';
import type { RailMovement, RailPage, Received, ReceivedPayment } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import { ApiPixClient } from './api-pix-client.js';
import { API_PIX_DIALECT, type ApiPixDialect } from './dialect.js';
import { AROUND_MS, DAY_MS, nextPosition, type ListPosition, parseCursor, toCursor, turned } from './list-position.js';
import { MalformedAnswer, whole } from './answer-members.js';
import { type Pix, type PixPage, readPix, readPixPage, sameAs } from './messages.js';
import { ApiPixRefusal } from './problem.js';
import { API_PIX } from './settings.js';

const PAGE = '100';
/** A payment can be refunded up to the ninetieth day (API Pix, `PixDevolucaoInvalida`), plus a day of margin. */
const REFUND_DAYS = 91;
/** A charge lives at most a year (CASHIN_EXPIRY_SECONDS), but the PSP closes it when it is paid: this is a fallback. */
const LOOK_BACK_DAYS = 30;
/** The rail's callers wait ten seconds: nobody waits for a search that goes on after that. */
const SEARCH_MS = 9_000;

/** Received payments at the PSP: one (`GET /pix/{e2eid}`), and their list (`GET /pix`). */
@Injectable()
export class ReceivedList {
  readonly #windowMs: number;

  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(API_PIX) { queryDays }: ApiPixSettings,
    @Inject(API_PIX_DIALECT) private readonly dialect: Pick<ApiPixDialect, 'receivedQuery'>,
  ) {
    this.#windowMs = queryDays * DAY_MS;
  }

  async receivedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>> {
    const position = parseCursor(cursor, new Date(from.getTime() - AROUND_MS));
    const until = new Date(to.getTime() + AROUND_MS);
    const page = await this.#page(position, until, {});
    const { pix, unread } = page;
    const items = pix
      .filter(({ payment }) => isWithin(payment.at, from, to))
      .map(({ payment }) => ({ kind: 'Payment' as const, payment }));
    return { items, nextCursor: toCursor(nextPosition(position, page, until, this.#windowMs)), unread };
  }

  /** Payments first; then refunds, which the PSP lists under their payment and by the payment's time. */
  async movementsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>> {
    const firstRefunds = new Date(from.getTime() - REFUND_DAYS * DAY_MS);
    const inRefunds = cursor?.startsWith('refunds ') ?? false;
    if (inRefunds) {
      const position = parseCursor(cursor!.slice('refunds '.length), firstRefunds);
      const page = whole(await this.#page(position, to, { devolucaoPresente: 'true' }));
      const next = toCursor(nextPosition(position, page, to, this.#windowMs));
      const items = page.pix.flatMap((one) => refundsOf(one, from, to));
      return { items, nextCursor: next && `refunds ${next}` };
    }
    const { items, nextCursor } = whole(await this.receivedBetween(from, to, cursor));
    const movements = items.flatMap((one) => (one.kind === 'Payment' ? [paymentIn(one.payment)] : []));
    return { items: movements, nextCursor: nextCursor ?? `refunds ${toCursor({ start: firstRefunds, page: 0 })}` };
  }

  /** One payment, with all that the PSP tells of its payer. @throws RailUnavailable */
  async find(endToEndId: string): Promise<Pix | undefined> {
    try {
      const path = `/pix/${encodeURIComponent(endToEndId)}`;
      const query = this.dialect.receivedQuery;
      const pix = readPix(await this.client.call({ operation: 'GET pix by e2eid', method: 'GET', path, query }));
      sameAs(endToEndId, pix.payment, 'endToEndId');
      return pix;
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      // Only a named error: a bare 404 may be a proxy's, and a payment that is said to be unknown is not told again.
      if (error.isBare) throw new MalformedAnswer(error.message);
      return undefined;
    }
  }

  /** The first payment of a charge, where the charge itself does not give it. */
  async firstOf(txid: string): Promise<ReceivedPayment | undefined> {
    const now = new Date();
    const from = new Date(now.getTime() - LOOK_BACK_DAYS * DAY_MS);
    for await (const { payment } of this.#search(from, now, { txid })) if (payment.txid === txid) return payment;
    return undefined;
  }

  /** Whether it lists a payment under a filter. */
  async lists({ endToEndId, at }: ReceivedPayment, filter: Readonly<Record<string, string>>): Promise<boolean> {
    const [from, to] = [new Date(at.getTime() - AROUND_MS), new Date(at.getTime() + AROUND_MS)];
    for await (const { payment } of this.#search(from, to, filter)) if (payment.endToEndId === endToEndId) return true;
    return false;
  }

  /** @throws RailUnavailable where the list was not read to its end in time */
  async *#search(
    start: Date,
    to: Date,
    filter: Readonly<Record<string, string>>,
  ): AsyncGenerator<Pix, void, undefined> {
    const deadline = Date.now() + SEARCH_MS;
    let position: ListPosition | undefined = { start, page: 0 };
    while (position) {
      if (Date.now() > deadline) throw new RailUnavailable('the list of payments was not read to its end in time');
      const page: PixPage = whole(await this.#page(position, to, filter));
      yield* page.pix;
      position = nextPosition(position, page, to, this.#windowMs);
    }
  }

  async #page(position: ListPosition, to: Date, filter: Readonly<Record<string, string>>): Promise<PixPage> {
    const { start, page } = position;
    const end = new Date(Math.min(start.getTime() + this.#windowMs, to.getTime()));
    const query = {
      inicio: start.toISOString(),
      fim: end.toISOString(),
      ...filter,
      ...this.dialect.receivedQuery,
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': PAGE,
    };
    try {
      const answer = await this.client.call({ operation: 'GET pix', method: 'GET', path: '/pix', query });
      return turned(position, readPixPage(answer, this.config.pixKey));
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      throw new RailUnavailable(`the PSP does not list payments: ${error.message}`);
    }
  }
}

function isWithin(at: Date, from: Date, to: Date): boolean {
  return at >= from && at < to;
}

function paymentIn({ endToEndId, amount, at }: ReceivedPayment): RailMovement {
  return { kind: 'PaymentIn', id: endToEndId, amount, at };
}

function refundsOf({ devolucoes }: Pix, from: Date, to: Date): RailMovement[] {
  return devolucoes.flatMap(({ id, amount, status, settledAt }) =>
    status === 'DEVOLVIDO' && settledAt && isWithin(settledAt, from, to)
      ? [{ kind: 'RefundOut' as const, id, amount, at: settledAt }]
      : [],
  );
}
