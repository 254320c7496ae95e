import { parseMoney } from '../format/money.js';
import { plainTaxNumber } from '../format/tax-number.js';

const STATES = ['Registered', 'Completed', 'Error', 'Reversed', 'Cancelled'];

/**
 * What somebody most likely means by what they typed, as filters of the transactions' list: an EndToEndId (`E` or `D` and
 * 31 more, BCB's DICT manual), an identifier, a tax number, an amount, a day, a state, and else an order.
 */
export function guessSearch(typed: string): Record<string, string> {
  const text = typed.trim();
  if (/^[ED]\d{8}\d{12}[0-9A-Za-z]{11}$/.test(text)) return { endToEndId: text };
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return { id: text.toLowerCase() };
  const day = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  if (day) return { from: `${day[3]}-${day[2]}-${day[1]}`, to: `${day[3]}-${day[2]}-${day[1]}` };
  const state = STATES.find((one) => one.toLowerCase() === text.toLowerCase());
  if (state) return { state };
  const plain = plainTaxNumber(text);
  if (/^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(plain) && /^[0-9A-Za-z.\-/\s]+$/.test(text)) return { taxNumber: plain };
  const amount = /^(R\$\s*)?[\d.]*\d([.,]\d{1,2})$|^R\$/.test(text) ? parseMoney(text) : null;
  if (amount !== null) return { amount };
  return { orderId: text };
}
