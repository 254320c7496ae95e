import { amountOf, type CheckedLine } from '../reading/checked-lines.js';

/** Lines as they are stored, before they are sealed: as they are, but for the amount, centavos, which is text. */
export function writeLines(lines: readonly CheckedLine[]): string {
  const stored = lines.map((line) => {
    const payment = { ...line.cashOut.payment, amount: amountOf(line).toString() };
    return { ...line, cashOut: { ...line.cashOut, payment } };
  });
  return JSON.stringify(stored);
}

export function readLines(text: string): CheckedLine[] {
  const lines = JSON.parse(text) as CheckedLine[];
  for (const line of lines) Object.assign(line.cashOut.payment, { amount: BigInt(amountOf(line)) });
  return lines;
}
