import { parseIspb } from '../../../platform/ispb.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import type { RailParty, ReceivedPayment } from '../pix-rail.js';
import {
  amount,
  cutText,
  endToEndIdOf,
  identifier,
  isIdentifier,
  list,
  LONGEST_NAME,
  MalformedAnswer,
  members,
  moment,
  optionalText,
  paidAmount,
  readEach,
  text,
} from './answer-members.js';
import { type ListedPage, listedPage } from './list-position.js';

/** The members of the API Pix's answers (version 2.9) that this rail reads, in our types. */

export interface Cob {
  readonly txid: string;
  readonly status: string;
  /** Centavos. */
  readonly amount: bigint;
  /** By the PSP's clock. */
  readonly expiresAt: Date;
  readonly location: string | undefined;
  readonly pixCopiaECola: string | undefined;
  /** Its payments, oldest first. */
  readonly pix: readonly Pix[];
}

export interface Devolucao {
  /** Chosen by the requester: ours are `D…`. */
  readonly id: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly status: string;
  readonly settledAt: Date | undefined;
  readonly reason: string;
  /** Who asked for it: `ORIGINAL`, `MED_FRAUDE` …; `''` where the PSP does not say. */
  readonly nature: string;
}

export interface Pix {
  readonly payment: ReceivedPayment;
  /** The key that was paid, where the PSP gives it. */
  readonly key: string | undefined;
  readonly devolucoes: readonly Devolucao[];
}

export interface PixPage extends ListedPage {
  readonly pix: readonly Pix[];
}

/** API Pix, `CobExpiracao`. */
const DEFAULT_LIFE_S = 86_400;

export function readCob(body: unknown): Cob {
  const cob = members(body, 'cob');
  const { criacao, expiracao } = members(cob.calendario, 'cob.calendario');
  const createdAt = moment(criacao, 'cob.calendario.criacao').getTime();
  const lives = Number(expiracao ?? DEFAULT_LIFE_S);
  if (!Number.isSafeInteger(lives)) throw new MalformedAnswer('cob.calendario.expiracao');
  const loc = members(cob.loc ?? {}, 'cob.loc');
  return {
    txid: text(cob.txid, 'cob.txid'),
    status: identifier(cob.status, 'cob.status'),
    amount: amount(members(cob.valor, 'cob.valor').original, 'cob.valor.original'),
    expiresAt: new Date(createdAt + lives * 1000),
    location: optionalText(cob.location) ?? optionalText(loc.location),
    pixCopiaECola: optionalText(cob.pixCopiaECola),
    pix: list(cob.pix, 'cob.pix').map(readPix).sort(byTime),
  };
}

export function readPix(body: unknown): Pix {
  const pix = members(body, 'pix');
  return {
    payment: {
      endToEndId: endToEndIdOf(pix.endToEndId, 'pix.endToEndId'),
      txid: txidOf(pix.txid),
      amount: paidAmount(pix.valor, 'pix.valor'),
      at: moment(pix.horario, 'pix.horario'),
      payer: payerOf(pix.pagador),
    },
    key: optionalText(pix.chave),
    devolucoes: list(pix.devolucoes, 'pix.devolucoes').map(readDevolucao),
  };
}

/**
 * The account may have other keys for other purposes: payments to those are not ours.
 * @param paid the key, where the PSP gives it
 */
export function isOurs(paid: string | undefined, pixKey: string): boolean {
  return paid === undefined || paid === pixKey;
}

export function readDevolucao(body: unknown): Devolucao {
  const devolucao = members(body, 'devolucao');
  const times = members(devolucao.horario ?? {}, 'devolucao.horario');
  const status = text(devolucao.status, 'devolucao.status');
  // Optional, and some PSPs never send it: a refund is settled within seconds of its request.
  const settled = times.liquidacao ?? (status === 'DEVOLVIDO' ? times.solicitacao : undefined);
  return {
    id: identifier(devolucao.id, 'devolucao.id'),
    amount: paidAmount(devolucao.valor, 'devolucao.valor'),
    status,
    settledAt: settled === undefined ? undefined : moment(settled, 'devolucao.horario'),
    reason: optionalText(devolucao.motivo) ?? '',
    nature: optionalText(devolucao.natureza) ?? '',
  };
}

/**
 * A cache or a gateway may give somebody else's answer. It proves nothing: a payer would pay another charge, and a
 * refund would end that has not.
 * @param member the identifier that was asked for
 * @throws MalformedAnswer
 */
export function sameAs<Answer>(asked: string, answer: Answer, member: keyof Answer & string): Answer {
  if (answer[member] !== asked) throw new MalformedAnswer(`${member} is another one`);
  return answer;
}

/** Payments to our key, oldest first within the page. One to another key hides none, whatever it lacks. */
export function readPixPage(body: unknown, pixKey: string): PixPage {
  const page = members(body, 'pixConsultados');
  const listed = list(page.pix, 'pix');
  const toUs = (one: unknown) => isOurs(optionalText((one as { chave?: unknown } | null)?.chave), pixKey);
  const { found, unread } = readEach(listed.filter(toUs), readPix);
  return { pix: found.sort(byTime), ...listedPage(page.parametros, listed), unread };
}

function byTime(one: Pix, other: Pix): number {
  return one.payment.at.getTime() - other.payment.at.getTime();
}

/** The standard does not name the payer. Some PSPs add `pagador` with name and tax number, or with the payer's bank. */
function payerOf(pagador: unknown): Partial<RailParty> {
  if (typeof pagador !== 'object' || pagador === null) return {};
  const { nome, cpf, cnpj, contaBanco } = pagador as Record<string, unknown>;
  const name = cutText(nome, LONGEST_NAME);
  const taxNumber = parseTaxNumber(optionalText(cpf) ?? optionalText(cnpj) ?? '')?.value;
  const ispb = bankOf(contaBanco);
  return { ...(name && { name }), ...(taxNumber && { taxNumber }), ...(ispb && { ispb }) };
}

function bankOf(contaBanco: unknown): string | undefined {
  if (typeof contaBanco !== 'object' || contaBanco === null) return undefined;
  return parseIspb(optionalText((contaBanco as Record<string, unknown>).codigoBanco) ?? '');
}

/** In another shape it is that of no charge. It goes into events, which SQL cannot read with half a character. */
function txidOf(value: unknown): string | null {
  return isIdentifier(value) ? value : null;
}
