import { Inject, Injectable } from '@nestjs/common';
import { type ApiPixSettings, type Config, CONFIG } from '../../../platform/config/index.js';
import type { RailMovement, RailPage, Received, ReceivedPayment } from '../pix-rail.js';
import { ApiPixClient } from './api-pix-client.js';
import { DAY_MS, nextPlace, type Place, readPlace, writePlace } from './place.js';
import { isOurs, type Pix, type PixPage, readPixPage } from './messages.js';
import { API_PIX } from './settings.js';

const PAGE = '100';
/** Up to the ninetieth day a payment can be given back (API Pix, `PixDevolucaoInvalida`); with a day to spare. */
const REFUND_DAYS = 91;
/** A charge lives at most a year (CASHIN_EXPIRY_SECONDS), but the PSP closes it when it is paid: this is for odd cases. */
const LOOK_BACK_DAYS = 30;
/** A list may go by another of a payment's moments than the one that it tells. */
const AROUND_MS = 60_000;

/** What came in, as the PSP lists it: `GET /pix`. */
@Injectable()
export class ReceivedList {
  readonly #windowMs: number;

  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(API_PIX) { queryDays }: ApiPixSettings,
  ) {
    this.#windowMs = queryDays * DAY_MS;
  }

  async receivedBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<Received>> {
    const place = readPlace(cursor, from);
    const { pix, pages } = await this.#page(place, to, {});
    const items = pix
      .filter((one) => isOurs(one, this.config.pixKey) && isWithin(one.payment.at, from, to))
      .map(({ payment }) => ({ kind: 'Payment' as const, payment }));
    return { items, nextCursor: writePlace(nextPlace(place, pages, to, this.#windowMs)) };
  }

  /** Payments first; then what was given back, which the PSP lists under its payment and by the payment's time. */
  async movementsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<RailMovement>> {
    const firstRefunds = new Date(from.getTime() - REFUND_DAYS * DAY_MS);
    const inRefunds = cursor?.startsWith('refunds ') ?? false;
    if (inRefunds) {
      const place = readPlace(cursor!.slice('refunds '.length), firstRefunds);
      const { pix, pages } = await this.#page(place, to, { devolucaoPresente: 'true' });
      const next = writePlace(nextPlace(place, pages, to, this.#windowMs));
      const items = pix.filter((one) => isOurs(one, this.config.pixKey)).flatMap((one) => refundsOf(one, from, to));
      return { items, nextCursor: next && `refunds ${next}` };
    }
    const { items, nextCursor } = await this.receivedBetween(from, to, cursor);
    const movements = items.flatMap((one) => (one.kind === 'Payment' ? [paymentIn(one.payment)] : []));
    return { items: movements, nextCursor: nextCursor ?? `refunds ${writePlace({ start: firstRefunds, page: 0 })}` };
  }

  /** The first payment of a charge, where the charge itself does not say it. */
  async firstOf(txid: string): Promise<ReceivedPayment | undefined> {
    const now = new Date();
    let place: Place | undefined = { start: new Date(now.getTime() - LOOK_BACK_DAYS * DAY_MS), page: 0 };
    while (place) {
      const { pix, pages }: PixPage = await this.#page(place, now, { txid });
      const found = pix.find(({ payment }) => payment.txid === txid);
      if (found) return found.payment;
      place = nextPlace(place, pages, now, this.#windowMs);
    }
    return undefined;
  }

  /** Whether it lists a payment, under a filter. */
  async lists({ endToEndId, at }: ReceivedPayment, filter: Readonly<Record<string, string>>): Promise<boolean> {
    const to = new Date(at.getTime() + AROUND_MS);
    let place: Place | undefined = { start: new Date(at.getTime() - AROUND_MS), page: 0 };
    while (place) {
      const { pix, pages }: PixPage = await this.#page(place, to, filter);
      if (pix.some(({ payment }) => payment.endToEndId === endToEndId)) return true;
      place = nextPlace(place, pages, to, this.#windowMs);
    }
    return false;
  }

  async #page({ start, page }: Place, to: Date, filter: Readonly<Record<string, string>>): Promise<PixPage> {
    const end = new Date(Math.min(start.getTime() + this.#windowMs, to.getTime()));
    const query = {
      inicio: start.toISOString(),
      fim: end.toISOString(),
      ...filter,
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': PAGE,
    };
    return readPixPage(await this.client.call({ operation: 'GET pix', method: 'GET', path: '/pix', query }));
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
