import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { formatAmount } from '../../../platform/money.js';
import { ApiPixClient } from '../bcb/api-pix-client.js';
import { MalformedAnswer } from '../bcb/messages.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import { type PaymentInstruction, type PaymentOutcome, RailUnavailable } from '../pix-rail.js';
import { DUPLICATE, isFinal } from './dialect.js';
import { readSent } from './messages.js';
import { ACCOUNT_CODES, outcomeOf, type SentPayment } from './states.js';

const MAXIMUM_DESCRIPTION = 139;

/** Payments at the PSP, each under an `idEnvio` of ours that it takes once for ever. */
@Injectable()
export class SentPayments {
  readonly #logger = new Logger('Efí rail');

  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Hands a payment over, in one try: after an answer that was lost the PSP is asked first. A refusal may be of the
   * second try of a payment that was made, so the PSP is asked before it is believed.
   * @throws RailUnavailable
   */
  async send(instruction: PaymentInstruction): Promise<PaymentOutcome> {
    const { paymentId } = instruction;
    try {
      const answer = await this.client.call({
        operation: instruction.qrCode ? 'PUT gn pix qrcode' : 'PUT gn pix',
        method: 'PUT',
        // Codes are paid by the second version alone.
        base: instruction.qrCode ? this.config.efi!.ownUrl : this.config.efi!.sendUrl,
        path: `/pix/${encodeURIComponent(paymentId)}${instruction.qrCode ? '/qrcode' : ''}`,
        body: sendBody(instruction, this.config.pixKey),
        once: true,
      });
      return outcomeOf(sameAs(paymentId, readSent(answer)));
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      const known = await this.query(paymentId);
      if (known.status !== 'Unknown') return known;
      // Its look-up may lag behind what it has taken.
      if (error.kind === DUPLICATE) return { status: 'Pending' };
      if (!isFinal(error)) throw new RailUnavailable(`the PSP does not say what became of a payment: ${error.message}`);
      this.#logger.warn({ paymentId, err: error }, 'the PSP refused a payment');
      return { status: 'Rejected', at: new Date(), code: error.kind };
    }
  }

  /** @throws RailUnavailable */
  async query(paymentId: string): Promise<PaymentOutcome> {
    const sent = await this.find(paymentId);
    return sent ? outcomeOf(sent) : { status: 'Unknown' };
  }

  /** @throws RailUnavailable */
  async find(paymentId: string): Promise<SentPayment | undefined> {
    try {
      const answer = await this.client.call({
        operation: 'GET gn pix by idEnvio',
        method: 'GET',
        base: this.config.efi!.ownUrl,
        path: `/pix/enviados/id-envio/${encodeURIComponent(paymentId)}`,
      });
      return sameAs(paymentId, readSent(answer));
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      // Only its own word: a bare 404 may come from anybody on the way, and `undefined` has it sent again.
      if (error.meaning === 'NotFound' && !error.kind.startsWith('Http')) return undefined;
      throw new MalformedAnswer(error.message);
    }
  }
}

function sameAs(paymentId: string, sent: SentPayment): SentPayment {
  if (sent.idEnvio !== paymentId) throw new MalformedAnswer('another payment than was asked for');
  return sent;
}

/** With a key the document goes too, where it is known: the PSP then refuses a key of somebody else. */
export function sendBody({ amount, key, qrCode, payee, description }: PaymentInstruction, pixKey: string): object {
  const infoPagador = description && [...description].slice(0, MAXIMUM_DESCRIPTION).join('');
  const pagador = { chave: pixKey, ...(infoPagador && { infoPagador }) };
  if (qrCode) return { pagador, pixCopiaECola: qrCode };
  const { taxNumber } = payee;
  const document = taxNumber && (taxNumber.length === 11 ? { cpf: taxNumber } : { cnpj: taxNumber });
  return {
    valor: formatAmount(amount),
    pagador,
    favorecido: key
      ? { chave: key.value, ...document }
      : {
          contaBanco: {
            nome: payee.name,
            ...document,
            codigoBanco: payee.ispb,
            agencia: payee.branch,
            conta: `${payee.number}${payee.digit}`,
            tipoConta: payee.type && ACCOUNT_CODES[payee.type],
          },
        },
  };
}
