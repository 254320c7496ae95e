import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Attempt } from '../../../event-store/index.js';
import type { ApiPixSettings } from '../../../platform/config/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { RefundInstruction, RefundOutcome } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';
import { unsureRefusals } from '../unsure-refusal.js';
import { ApiPixClient } from './api-pix-client.js';
import { API_PIX_DIALECT, type ApiPixDialect } from './dialect.js';
import { MalformedAnswer } from './answer-members.js';
import { type Devolucao, readDevolucao, sameAs } from './messages.js';
import { ApiPixRefusal } from './problem.js';
import { API_PIX } from './settings.js';

type Named = Pick<RefundInstruction, 'returnId' | 'endToEndId'>;

/** Texts for the payer. */
const DESCRIPTIONS: Partial<Record<RefundInstruction['code'], string>> = {
  BE08: 'Pagamento devolvido: nao corresponde a cobranca.',
  FR01: 'Pagamento devolvido: fundada suspeita de fraude.',
};
/** ISO 20022 reasons, as PSPs put them into `motivo`. */
const REASON_CODE = /\b[A-Z]{2}[0-9]{2}\b/;

/** Refunds at the PSP: `/pix/{e2eid}/devolucao/{id}`, where `id` is our return identifier. */
@Injectable()
export class Devolucoes {
  readonly #logger = new Logger('BCB rail');

  constructor(
    private readonly client: ApiPixClient,
    @Inject(API_PIX_DIALECT) private readonly dialect: ApiPixDialect,
    @Inject(API_PIX) private readonly settings: Pick<ApiPixSettings, 'lookUpLagMs'>,
  ) {}

  /**
   * Requests a refund, once an attempt. The standard has one reason for a receiver's refund (`MD06`), so our reason is
   * a text. A refusal may mean that an earlier attempt was accepted and its answer was lost, so the refund is looked up
   * first.
   * @throws RailUnavailable
   */
  async refund(instruction: RefundInstruction, attempt: Attempt): Promise<RefundOutcome> {
    const { returnId } = instruction;
    const body = {
      valor: formatAmount(instruction.amount),
      ...(this.dialect.describesRefunds && { natureza: 'ORIGINAL' }),
      ...(this.dialect.describesRefunds && { descricao: DESCRIPTIONS[instruction.code] }),
    };
    try {
      const answer = await this.client.call({
        operation: 'PUT devolucao',
        method: 'PUT',
        lane: 'Refunds',
        path: pathOf(instruction),
        body,
        once: true,
        lease: attempt.lease,
      });
      return outcomeOf(sameAs(returnId, readDevolucao(answer), 'id'));
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      // Here "not found" would end the refund, so that only the PSP may say it, by name.
      const known = await this.#lookUp(instruction, ({ meaning, isBare }) => meaning === 'NotFound' && !isBare);
      if (known.status !== 'Unknown') return known;
      if (error.meaning === 'Duplicate') {
        // The look-up may lag behind what it has accepted.
        this.#logger.warn({ returnId }, 'the PSP has a refund already, and its look-up does not find it');
        return { status: 'Pending' };
      }
      if (error.isBare) throw new RailUnavailable(`the outcome of a refund is unknown: ${error.message}`);
      const refusals = unsureRefusals(attempt, this.settings.lookUpLagMs);
      if (refusals) return { status: 'Pending', refusals };
      this.#logger.error({ returnId, err: error }, 'the PSP refused a refund');
      return { status: 'Rejected', at: new Date(), code: error.kind };
    }
  }

  /**
   * A bare 404 may be the whole answer of a PSP that does not know the refund. It is sent again then, under its
   * identifier, which the PSP takes once.
   * @throws RailUnavailable
   */
  query(refund: Named): Promise<RefundOutcome> {
    return this.#lookUp(refund, ({ meaning }) => meaning === 'NotFound');
  }

  async #lookUp(refund: Named, isUnknown: (refusal: ApiPixRefusal) => boolean): Promise<RefundOutcome> {
    try {
      const answer = await this.client.call({
        operation: 'GET devolucao',
        method: 'GET',
        lane: 'Refunds',
        path: pathOf(refund),
      });
      return outcomeOf(sameAs(refund.returnId, readDevolucao(answer), 'id'));
    } catch (error) {
      if (!(error instanceof ApiPixRefusal)) throw error;
      if (isUnknown(error)) return { status: 'Unknown' };
      throw new MalformedAnswer(error.message);
    }
  }
}

/** An unknown status, of a later version, is no end: the refund is queried again. */
export function outcomeOf({ status, settledAt, reason }: Devolucao): RefundOutcome {
  switch (status) {
    case 'DEVOLVIDO':
      return { status: 'Settled', at: settledAt ?? new Date() };
    case 'NAO_REALIZADO':
      return { status: 'Rejected', at: new Date(), code: REASON_CODE.exec(reason)?.[0] ?? status };
    default:
      return { status: 'Pending' };
  }
}

function pathOf({ endToEndId, returnId }: Named): string {
  return `/pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(returnId)}`;
}
