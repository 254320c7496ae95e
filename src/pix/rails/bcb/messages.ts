import { createHash } from 'node:crypto';
import { parseIspb } from '../../../platform/ispb.js';
import { parseAmount } from '../../../platform/money.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';
import { type RailPage, RailUnavailable, type RailParty, type ReceivedPayment } from '../pix-rail.js';

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

/** What is common to the pages of lists. */
export interface ListedPage {
  /** How many pages there are; the first is 0. */
  readonly pages: number;
  /** Pages with the same items have the same. */
  readonly knownBy: string;
  /** Why items of it break the standard. */
  readonly unread: readonly MalformedAnswer[];
}

export interface PixPage extends ListedPage {
  readonly pix: readonly Pix[];
}

/** An answer that breaks the standard: whether the request took effect is unknown. */
export class MalformedAnswer extends RailUnavailable {
  constructor(what: string) {
    super(`the PSP's answer breaks the API Pix: ${what}`);
  }
}

/** Of one query's list: ten million payments. A list that says that it has more would be read for ever. */
const MOST_PAGES = 100_000;
/** RFC 3339. `Date` takes much more for a time, as `7`, and years that the ledger cannot write. */
const DATED = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;
/** Of payments, as the SPI has them. */
const END_TO_END_ID = /^[A-Za-z0-9]{32}$/;
/** Of the PSP's choice. It goes into events and log records. */
const IDENTIFIER = /^[\x21-\x7e]{1,100}$/;

/** Of a person, in characters. */
export const LONGEST_NAME = 140;

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
 * A cache or a gateway may give somebody else's answer. It proves nothing: a payer would pay another charge, and a refund
 * would end that has not.
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

/** Items of a list, and why others of it break the standard: those hide none of the rest. */
export function readEach<T>(items: readonly unknown[], read: (one: unknown) => T) {
  const found: T[] = [];
  const unread: MalformedAnswer[] = [];
  for (const one of items) {
    try {
      found.push(read(one));
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
      unread.push(error);
    }
  }
  return { found, unread };
}

/** A page of a list that proves something: it may lack nothing. @throws RailUnavailable */
export function whole<Page extends Pick<RailPage<unknown>, 'unread'>>(page: Page): Page {
  const [first] = page.unread ?? [];
  if (first) throw first;
  return page;
}

/** The place of a page in its list, by its `parametros`. */
export function listedPage(parametros: unknown, items: readonly unknown[]): Pick<ListedPage, 'pages' | 'knownBy'> {
  const knownBy = createHash('sha256').update(JSON.stringify(items)).digest('base64url');
  return { pages: pagesOf(parametros), knownBy };
}

function pagesOf(parametros: unknown): number {
  const { paginacao } = members(parametros, 'parametros');
  const { quantidadeDePaginas: pages } = members(paginacao, 'parametros.paginacao');
  const isCount = typeof pages === 'number' && Number.isInteger(pages) && pages >= 0 && pages <= MOST_PAGES;
  if (!isCount) throw new MalformedAnswer('parametros.paginacao.quantidadeDePaginas');
  return pages;
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

export function members(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new MalformedAnswer(what);
  return value as Record<string, unknown>;
}

export function list(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new MalformedAnswer(what);
  return value;
}

export function text(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw new MalformedAnswer(what);
  return value;
}

export function identifier(value: unknown, what: string): string {
  if (typeof value !== 'string' || !IDENTIFIER.test(value)) throw new MalformedAnswer(what);
  return value;
}

export function endToEndIdOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || !END_TO_END_ID.test(value)) throw new MalformedAnswer(what);
  return value;
}

/** In another shape it is that of no charge. It goes into events, which SQL cannot read with half a character. */
function txidOf(value: unknown): string | null {
  return typeof value === 'string' && IDENTIFIER.test(value) ? value : null;
}

/** A text for people, cut between characters: half of one breaks partners' readers of JSON. */
export function cutText(value: unknown, longest: number): string | undefined {
  const text = optionalText(value);
  return text && [...text.slice(0, 2 * longest).toWellFormed()].slice(0, longest).join('');
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function amount(value: unknown, what: string): bigint {
  const centavos = typeof value === 'string' ? parseAmount(value) : undefined;
  if (centavos === undefined || centavos < 0n) throw new MalformedAnswer(what);
  return centavos;
}

/** No movement of money is of nothing. */
export function paidAmount(value: unknown, what: string): bigint {
  const centavos = amount(value, what);
  if (centavos === 0n) throw new MalformedAnswer(what);
  return centavos;
}

export function moment(value: unknown, what: string): Date {
  const written = text(value, what);
  const at = new Date(written);
  const isTime = DATED.test(written) && !Number.isNaN(at.getTime());
  // Its zone may lead to a year that is later, or earlier, than those of four digits.
  if (!isTime || !DATED.test(at.toISOString())) throw new MalformedAnswer(what);
  return at;
}
