import type { RequestedCashOut } from '../../pix/index.js';
import type { CheckedLine } from '../reading/checked-lines.js';

/** Lines as they are stored, before they are sealed. */
export function writeLines(lines: readonly CheckedLine[]): string {
  return JSON.stringify(lines, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

export function readLines(text: string): CheckedLine[] {
  const lines = JSON.parse(text) as CheckedLine[];
  return lines.map(({ line, cashOut }) => ({ line, cashOut: { ...cashOut, payment: withAmount(cashOut.payment) } }));
}

/** Lines pay no code, so each has its amount. */
function withAmount(payment: RequestedCashOut['payment']): RequestedCashOut['payment'] {
  return 'amount' in payment ? { ...payment, amount: BigInt(payment.amount) } : payment;
}

export function amountOf({ cashOut }: CheckedLine): bigint {
  const { payment } = cashOut;
  if (!('amount' in payment)) throw new TypeError('a line of a file pays no code');
  return payment.amount;
}
