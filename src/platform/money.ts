/** Amounts are bigint centavos inside, and JSON strings with two decimals outside (decisions 1). */

const AMOUNT = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/;

/**
 * Centavos of an amount as partners write it: digits, optionally a dot and one or two decimals, at most 13
 * digits before the dot. A minus is accepted, so that "not above zero" differs from "malformed".
 * @returns `undefined` when the text is not an amount
 */
export function parseAmount(text: string): bigint | undefined {
  const match = AMOUNT.exec(text);
  if (!match) return undefined;
  const centavos = BigInt(match[2]! + (match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -centavos : centavos;
}

/** `123456n` → `"1234.56"`; negative amounts carry a minus. */
export function formatAmount(centavos: bigint): string {
  const digits = (centavos < 0n ? -centavos : centavos).toString().padStart(3, '0');
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const smaller = (one: bigint, other: bigint) => (one < other ? one : other);
