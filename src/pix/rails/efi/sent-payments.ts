import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Attempt } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { formatAmount } from '../../../platform/money.js';
import { isCompany } from '../../../platform/tax-number.js';
import { railNumber } from '../../domain/values/bank-account.js';
import { ApiPixClient } from '../bcb/api-pix-client.js';
import { MalformedAnswer } from '../bcb/answer-members.js';
import { sameAs } from '../bcb/messages.js';
import { ApiPixRefusal } from '../bcb/problem.js';
import type { PaymentInstruction, PaymentOutcome } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import { unsureRefusals } from '../unsure-refusal.js';
import { isFinal } from './dialect.js';
import { readSent } from './messages.js';
import { ACCOUNT_CODES, outcomeOf, returnsOf, type SentPayment } from './states.js';

const MAXIMUM_DESCRIPTION = 139;

/** Payouts at the PSP, each under an `idEnvio` of ours, which it accepts once for ever. */
@Injectable()
export class SentPayments {
  readonly #logger = new Logger('Efí rail');

  constructor(
    private readonly client: ApiPixClient,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Sends a payment, in one attempt: after a lost answer the PSP is queried first. A refusal may be for the second
   * attempt of a payment that succeeded, so the PSP is queried then too.
   * @throws RailUnavailable
   */
  async send(instruction: PaymentInstruction, attempt: Attempt): Promise<PaymentOutcome> {
    const { paymentId } = instruction;
    try {
      const answer = await this.client.call({
        operation: instruction.qrCode ? 'PUT gn pix qrcode' : 'PUT gn pix',
        method: 'PUT',
        lane: 'Payouts',
        // Only the second version pays codes.
        base: instruction.qrCode ? this.config.efi!.ownUrl : this.config.efi!.sendUrl,
        path: `/pix/${encodeURIComponent(paymentId)}${instruction.qrCode ? '/qrcode' : ''}`,
        body: sendBody(instruction, this.config.pixKey),
        once: true,
        lease: attempt.lease,
      });
      return outcomeOf(sameAs(paymentId, readSent(answer), 'idEnvio'));
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      const known = await this.query(paymentId);
      if (known.status !== 'Unknown') return known;
      if (error.meaning === 'Duplicate') {
        // The look-up may lag behind what it has accepted.
        this.#logger.warn({ paymentId }, 'the PSP has a payment already, and its look-up does not find it');
        return { status: 'Pending' };
      }
      if (!isFinal(error)) throw new RailUnavailable(`the outcome of a payment is unknown: ${error.message}`);
      const refusals = unsureRefusals(attempt, this.config.efi!.lookUpLagMs);
      if (refusals) return { status: 'Pending', refusals };
      this.#logger.warn({ paymentId, err: error }, 'the PSP refused a payment');
      return { status: 'Rejected', at: new Date(), code: error.kind };
    }
  }

  /** @throws RailUnavailable */
  async query(paymentId: string): Promise<PaymentOutcome> {
    const sent = await this.find(paymentId);
    if (!sent) return { status: 'Unknown' };
    const outcome = outcomeOf(sent);
    return outcome.status === 'Settled' ? { ...outcome, returned: returnsOf(sent) } : outcome;
  }

  /** @throws RailUnavailable */
  async find(paymentId: string): Promise<SentPayment | undefined> {
    try {
      const answer = await this.client.call({
        operation: 'GET gn pix by idEnvio',
        method: 'GET',
        lane: 'Payouts',
        base: this.config.efi!.ownUrl,
        path: `/pix/enviados/id-envio/${encodeURIComponent(paymentId)}`,
      });
      return sameAs(paymentId, readSent(answer), 'idEnvio');
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      // Only a named error: a bare 404 may be a proxy's, and `undefined` means that the payment is sent again.
      if (error.meaning === 'NotFound' && !error.isBare) return undefined;
      throw new MalformedAnswer(error.message);
    }
  }
}

/** With a key the tax number is sent too, where it is known: the PSP then refuses a key of another person. */
function sendBody({ amount, key, qrCode, payee, description }: PaymentInstruction, pixKey: string): object {
  const infoPagador = description && [...description].slice(0, MAXIMUM_DESCRIPTION).join('');
  const pagador = { chave: pixKey, ...(infoPagador && { infoPagador }) };
  if (qrCode) return { pagador, pixCopiaECola: qrCode };
  const { taxNumber } = payee;
  const document = taxNumber && (isCompany(taxNumber) ? { cnpj: taxNumber } : { cpf: taxNumber });
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
            conta: railNumber({ number: payee.number!, digit: payee.digit }),
            tipoConta: payee.type && ACCOUNT_CODES[payee.type],
          },
        },
  };
}
