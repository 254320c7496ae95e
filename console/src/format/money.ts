/**
 * An amount of the service ("1234.5", "-10.00") as people in Brazil write it: `R$ 1.234,50`, `-R$ 10,00`.
 * Text in, text out: no floats, so that 13 digits stay exact. Text that is no amount is shown as it is.
 */
export function formatMoney(amount: string): string {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount);
  if (!match) return amount;
  const [, sign, whole = '0', cents = ''] = match;
  return `${sign}R$\u00a0${grouped(whole)},${cents.padEnd(2, '0')}`;
}

/** Centavos in decimal text, as postings carry them ("-1050"), as an amount ("-10.50"). */
export function fromCentavos(centavos: string): string {
  const match = /^(-?)(\d+)$/.exec(centavos);
  if (!match) return centavos;
  const [, sign, digits = '0'] = match;
  const padded = digits.padStart(3, '0');
  return `${sign}${padded.slice(0, -2).replace(/^0+(?=\d)/, '')}.${padded.slice(-2)}`;
}

/**
 * A typed amount ("1.234,50", "1234,5", "1234.50", "R$ 10") as the service's decimal text, or null for anything else.
 * A comma is always the decimal mark; a dot is one too when one or two digits follow it and there is no comma. Dots
 * between thousands stand between all of them: "1234.567" is no amount, least of all one of a million.
 */
export function parseMoney(typed: string): string | null {
  const text = typed.replace(/R\$|\s/g, '');
  const match = /^([1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))?$/.exec(text) ?? /^(\d+)\.(\d{1,2})$/.exec(text);
  const whole = match?.[1]!.replace(/\./g, '');
  return whole && whole.length <= 13 ? `${whole}.${(match?.[2] ?? '').padEnd(2, '0')}` : null;
}

/** Centavos of an amount, for sums and charts. */
export function centavosOf(amount: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount);
  if (!match) return 0n;
  const value = BigInt(match[2]! + (match[3] ?? '').padEnd(2, '0'));
  return match[1] === '-' ? -value : value;
}

/** A count with the Brazilian thousands mark: `1.000.000`. */
export function formatCount(count: number | string | bigint): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(count)) ?? [];
  return whole === '' ? String(count) : `${sign}${grouped(whole)}${fraction && `,${fraction}`}`;
}

/** A share of one as a percentage with one decimal: `99,5 %`; a dash for none. */
export function formatShare(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : `${(share * 100).toFixed(1).replace('.', ',')} %`;
}

function grouped(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+(?!\d))/g, '.');
}
