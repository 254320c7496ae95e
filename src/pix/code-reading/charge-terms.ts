import { parseAmount } from '../../platform/money.js';
import { midnightOf } from '../../platform/sao-paulo.js';
import { parseTaxNumber } from '../../platform/tax-number.js';
import { isPixKey } from '../domain/values/pix-key.js';
import { CodeRefused } from '../domain/code-refused.js';

/** What is due of a charge with a due date, as its institution calculated for this day. Centavos. */
export interface DueTerms {
  /** Calendar day, `2026-11-30`. */
  readonly date: string;
  readonly original: bigint | null;
  readonly interest: bigint | null;
  readonly fine: bigint | null;
  readonly rebate: bigint | null;
  readonly discount: bigint | null;
}

/** The terms of a charge that can be paid now, by a dynamic code's payload. */
export interface ChargeTerms {
  readonly txid: string;
  readonly revision: number;
  /** Centavos. */
  readonly amount: bigint;
  readonly payerMayChangeAmount: boolean;
  /** The key that is paid to, as DICT stores it. */
  readonly key: string;
  /** Of a charge with a due date: by weekends alone, as only its bank knows which days are holidays there. */
  readonly expiresAt: Date;
  /** The receiver; only charges with a due date give it. */
  readonly receiver: { readonly name: string; readonly taxNumber: string | null } | null;
  readonly due: DueTerms | null;
  /** The receiver's text for the payer. */
  readonly description: string | null;
}

type Members = Readonly<Record<string, unknown>>;

const AMOUNT = /^\d{1,10}\.\d{2}$/;
const TXID = /^[A-Za-z0-9]{1,35}$/;
/** As long as the API Pix allows: the name is kept in the log, notified and drawn. */
const NAME = /^.{0,200}$/su;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;
const DEFAULT_EXPIRY_SECONDS = 86_400;
const LONGEST_LIFE_SECONDS = 2_147_483_647;
const LONGEST_VALIDITY_DAYS = 36_500;
/** Longer than banks are ever closed at a stretch: carnival, Easter and local holidays with their weekends. */
const HOLIDAYS_MS = 7 * DAY_MS;

/**
 * Reads a payload (BCB, API Pix 2.9, `CobPayload` and `CobVPayload`) and judges it at a moment.
 * @throws CodeRefused with the first rule that is broken
 */
export function readCharge(payload: unknown, now: Date): ChargeTerms {
  const charge = membersOf(payload, 'the payload');
  const value = membersOf(charge.valor, 'valor');
  const calendar = membersOf(charge.calendario, 'calendario');
  if (value.retirada !== undefined) throw new CodeRefused('QrCodeKindNotSupported', 'valor.retirada');
  const isDue = calendar.dataDeVencimento !== undefined || value.final !== undefined;
  const terms = {
    txid: matching(TXID, charge.txid, 'txid'),
    revision: wholeNumber(charge.revisao, 'revisao', LONGEST_LIFE_SECONDS),
    key: keyOf(charge.chave),
    description: typeof charge.solicitacaoPagador === 'string' ? charge.solicitacaoPagador || null : null,
    ...(isDue ? dueCharge(charge, value, calendar) : immediateCharge(value, calendar)),
  };
  if (text(charge.status, 'status') !== 'ATIVA') throw new CodeRefused('QrCodeNotActive');
  if (isOver(terms, now)) throw new CodeRefused('QrCodeExpired');
  return terms;
}

/** A holiday may have moved the due date: what its bank calls active is refused only where no holidays explain that. */
function isOver({ expiresAt, due }: Pick<ChargeTerms, 'expiresAt' | 'due'>, now: Date): boolean {
  return expiresAt.getTime() + (due ? HOLIDAYS_MS : 0) <= now.getTime();
}

function immediateCharge(value: Members, calendar: Members) {
  const createdAt = new Date(matching(TIME, calendar.criacao, 'calendario.criacao'));
  if (Number.isNaN(createdAt.getTime())) throw invalid('calendario.criacao');
  const seconds = wholeNumber(
    calendar.expiracao ?? DEFAULT_EXPIRY_SECONDS,
    'calendario.expiracao',
    LONGEST_LIFE_SECONDS,
  );
  const amount = centavos(value.original, 'valor.original');
  const change = value.modalidadeAlteracao ?? 0;
  if (change !== 0 && change !== 1) throw invalid('valor.modalidadeAlteracao');
  if (amount === 0n && change === 0) throw invalid('valor.original is nothing, and may not be changed');
  return {
    amount,
    payerMayChangeAmount: change === 1,
    expiresAt: new Date(createdAt.getTime() + seconds * 1000),
    receiver: null,
    due: null,
  };
}

function dueCharge(charge: Members, value: Members, calendar: Members) {
  const date = matching(DAY, calendar.dataDeVencimento, 'calendario.dataDeVencimento');
  const days = wholeNumber(
    calendar.validadeAposVencimento ?? 0,
    'calendario.validadeAposVencimento',
    LONGEST_VALIDITY_DAYS,
  );
  const optional = (member: string) =>
    value[member] === undefined ? null : centavos(value[member], `valor.${member}`);
  const amount = centavos(value.final, 'valor.final');
  if (amount === 0n) throw invalid('valor.final is nothing');
  const { nome, cpf, cnpj } = membersOf(charge.recebedor, 'recebedor');
  return {
    amount,
    payerMayChangeAmount: false,
    expiresAt: endOfValidity(date, days),
    receiver: {
      name: matching(NAME, nome, 'recebedor.nome'),
      taxNumber: parseTaxNumber(text(cpf ?? cnpj, 'recebedor.cpf'))?.value ?? null,
    },
    due: {
      date,
      original: optional('original'),
      interest: optional('juros'),
      fine: optional('multa'),
      rebate: optional('abatimento'),
      discount: optional('desconto'),
    },
  };
}

/**
 * A due date on a weekend moves to Monday. Holidays are national, of states and of towns: they are left to the bank.
 */
function endOfValidity(date: string, days: number): Date {
  const midnight = midnightOf(date);
  if (Number.isNaN(midnight.getTime())) throw invalid('calendario.dataDeVencimento');
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  const shift = weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
  return new Date(midnight.getTime() + (shift + days + 1) * DAY_MS);
}

function keyOf(value: unknown): string {
  const key = text(value, 'chave');
  if (!isPixKey(key)) throw new CodeRefused('QrCodeKeyInvalid');
  return key;
}

function centavos(value: unknown, member: string): bigint {
  return parseAmount(matching(AMOUNT, value, member))!;
}

/** Numbers are texts in the BCB's own examples. */
function wholeNumber(value: unknown, member: string, most: number): number {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > most) throw invalid(member);
  return number;
}

function matching(pattern: RegExp, value: unknown, member: string): string {
  const given = text(value, member);
  if (!pattern.test(given)) throw invalid(member);
  return given;
}

function text(value: unknown, member: string): string {
  if (typeof value !== 'string') throw invalid(member);
  return value;
}

function membersOf(value: unknown, member: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(member);
  return value as Members;
}

function invalid(member: string): CodeRefused {
  return new CodeRefused('QrCodePayloadInvalid', member);
}
