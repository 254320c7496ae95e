/** A payment has up to 13 digits before the dot. A balance may have more. */
const AMOUNT = /^(-?)(\d{1,18})(?:\.(\d{1,2}))?$/;

/**
 * Centavos of an amount of the service, for sums and comparisons that no float may round: `"10.50"` is `1050n`.
 * Amounts of a statement and of transfers may be negative.
 * @throws RangeError when the text is not an amount
 */
export function toCentavos(amount: string): bigint {
  const match = AMOUNT.exec(amount);
  if (!match) throw new RangeError(`not an amount: ${JSON.stringify(amount)}`);
  const centavos = BigInt(match[2]! + (match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -centavos : centavos;
}

/** The text of so many centavos, as requests take it: `1050n` is `"10.50"`. */
export function fromCentavos(centavos: bigint): string {
  const digits = (centavos < 0n ? -centavos : centavos).toString().padStart(3, '0');
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
