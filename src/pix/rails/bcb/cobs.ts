import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { formatAmount } from '../../../platform/money.js';
import { toldToPayer } from '../../queries/charge-payload/charge-payload.js';
import { BrCodeError, parseBrCode } from '../../domain/values/br-code.js';
import { isLocation } from '../../domain/values/br-code-fields.js';
import type { Charge, ChargeClosing, ChargeCode, ReceivedPayment } from '../pix-rail.js';
import { ChargeRefused, RailUnavailable } from '../rail-errors.js';
import { ApiPixClient, type ApiPixRequest } from './api-pix-client.js';
import { MalformedAnswer } from './answer-members.js';
import { type Cob, type Pix, readCob, sameAs } from './messages.js';
import { ApiPixRefusal } from './problem.js';
import { ReceivedList } from './received-list.js';

const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

/** Immediate charges at the PSP: `/cob/{txid}`. */
@Injectable()
export class Cobs {
  readonly #logger = new Logger('BCB rail');

  constructor(
    private readonly client: ApiPixClient,
    private readonly received: ReceivedList,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates a charge under our txid. A refusal may mean that an earlier attempt created it and its answer was lost, so
   * the charge is looked up first.
   * @throws ChargeRefused, RailUnavailable
   */
  async create(charge: Charge): Promise<ChargeCode> {
    const { txid } = charge;
    try {
      const body = cobBody(charge, this.config.pixKey);
      const answer = await this.#call({ operation: 'PUT cob', method: 'PUT', path: pathOf(txid), body });
      const made = sameAs(txid, readCob(answer), 'txid');
      if (made.amount !== charge.amount) throw new MalformedAnswer('cob.valor.original is another amount');
      return codeOf(made);
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      const made = await this.#find(txid);
      if (made?.status === 'ATIVA' && made.amount === charge.amount) return codeOf(made);
      // The charge was to be made there: that nothing was found, without a name, is a proxy's word.
      if (error.meaning === 'NotFound' && error.isBare) throw new MalformedAnswer(error.message);
      this.#logger.error({ txid, err: error }, 'the PSP refused a charge');
      throw new ChargeRefused(error.kind);
    }
  }

  /** Closes a charge, unless it was paid. @throws RailUnavailable */
  async cancel(txid: string): Promise<ChargeClosing> {
    try {
      const body = { status: REMOVED };
      const answer = await this.#call({ operation: 'PATCH cob', method: 'PATCH', path: pathOf(txid), body });
      return await this.#closingOf(sameAs(txid, readCob(answer), 'txid'));
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      const found = await this.#find(txid);
      return found ? this.#closingOf(found) : { status: 'Cancelled' };
    }
  }

  /** Only the first payment counts; one that came too late is recognised by its time. */
  async #closingOf({ txid, status, expiresAt, pix }: Cob): Promise<ChargeClosing> {
    const [first] = pix;
    if (first) return { status: 'Paid', payment: await this.#paymentOf(first, txid) };
    const listed = status === 'CONCLUIDA' ? await this.received.firstOf(txid) : undefined;
    if (listed) return { status: 'Paid', payment: listed };
    // Some PSPs refuse to remove an expired charge: it cannot be paid in time either.
    const isOver = status.startsWith('REMOVIDA') || (status === 'ATIVA' && expiresAt <= new Date());
    if (isOver) return { status: 'Cancelled' };
    throw new MalformedAnswer(`cob.status ${status} after it was to be closed`);
  }

  /** A charge does not tell all of its payment: not the payer's bank. */
  async #paymentOf({ payment: { endToEndId } }: Pix, txid: string): Promise<ReceivedPayment> {
    const pix = await this.received.find(endToEndId);
    if (!pix) throw new RailUnavailable('the PSP does not know the payment that its charge names');
    // One that paid another charge would be credited here too, as would one that a sweep has kept as no charge's.
    return sameAs(txid, pix.payment, 'txid');
  }

  async #find(txid: string): Promise<Cob | undefined> {
    try {
      const answer = await this.#call({ operation: 'GET cob', method: 'GET', path: pathOf(txid) });
      return sameAs(txid, readCob(answer), 'txid');
    } catch (error) {
      // Only a named error: a bare 404 may be a proxy's, and a charge that is said to be cancelled may have been paid.
      if (error instanceof ApiPixRefusal && error.meaning === 'NotFound' && !error.isBare) return undefined;
      throw error instanceof ApiPixRefusal ? new MalformedAnswer(error.message) : error;
    }
  }

  #call(request: ApiPixRequest): Promise<unknown> {
    return this.client.call({ ...request, lane: 'Charges' });
  }
}

function pathOf(txid: string): string {
  return `/cob/${encodeURIComponent(txid)}`;
}

/** Schema `CobSolicitada`. */
export function cobBody(charge: Charge, chave: string): object {
  const { createdAt, expiresAt, amount, debtor } = charge;
  return {
    calendario: { expiracao: Math.max(1, Math.round((expiresAt.getTime() - createdAt.getTime()) / 1000)) },
    valor: { original: formatAmount(amount) },
    chave,
    ...toldToPayer(debtor, charge),
  };
}

/**
 * The PSP serves the charge, so the code is the PSP's; or it is made of the location where the PSP gives no valid
 * code.
 */
export function codeOf({ location: given, pixCopiaECola, amount }: Pick<Cob, 'location' | 'pixCopiaECola' | 'amount'>) {
  const read = pixCopiaECola === undefined ? undefined : dynamicCode(pixCopiaECola);
  if (read && (read.amount === undefined || read.amount === amount)) {
    return { location: read.location, qrCode: pixCopiaECola! } satisfies ChargeCode;
  }
  const location = given?.replace(/^https?:\/\//i, '');
  if (location === undefined || !isLocation(location)) throw new MalformedAnswer('cob without a code or a location');
  return { location } satisfies ChargeCode;
}

function dynamicCode(code: string) {
  try {
    const parsed = parseBrCode(code);
    return parsed.kind === 'Dynamic' ? parsed : undefined;
  } catch (error) {
    if (error instanceof BrCodeError) return undefined;
    throw error;
  }
}
