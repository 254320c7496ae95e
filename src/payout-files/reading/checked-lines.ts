import { setImmediate } from 'node:timers/promises';
import { BALANCE_LIMIT, orderIdentity } from '../../accounts/index.js';
import type { RequestedCashOut } from '../../pix/index.js';
import type { LocatedFault } from '../../platform/http/index.js';
import { formatAmount } from '../../platform/money.js';
import { type FileFault, PayoutFileHasFaults } from '../domain/errors.js';
import type { LineReader } from './line.js';

const MOST_LINES = 100_000;
const MOST_FAULTS = 100;
/** Lines that are checked before others have their turn. */
const TURN = 50;

/** A line without fault. */
export interface CheckedLine {
  readonly line: number;
  readonly cashOut: RequestedCashOut;
}

export function amountOf({ cashOut }: CheckedLine): bigint {
  const { payment } = cashOut;
  if (!('amount' in payment)) throw new TypeError('a line of a file pays no code');
  return payment.amount;
}

export type CheckLine = (body: object) => RequestedCashOut | readonly LocatedFault[];

/**
 * The lines of a file, for as long as it has no fault; from the first one on, only its other faults are looked for.
 * @throws PayoutFileHasFaults at the end, with all of them
 */
export async function* checkedLines(
  pieces: AsyncIterable<string>,
  reader: LineReader,
  check: CheckLine,
): AsyncGenerator<CheckedLine, void, undefined> {
  const faults: FileFault[] = [];
  const orders = new Map<string, number>();
  let amount = 0n;
  let total = 0;
  let count = 0;
  const found = (fault: FileFault) => {
    total += 1;
    if (faults.length < MOST_FAULTS) faults.push(fault);
  };
  for await (const { line, body, fault } of reader.read(pieces)) {
    count += 1;
    if (count % TURN === 0) await setImmediate();
    if (count > MOST_LINES) {
      found({ line, column: null, code: 'TooMany', message: 'too many lines', info: { maximum: MOST_LINES } });
      break;
    }
    if (!body) {
      found({ line, ...fault! });
      continue;
    }
    const checked = check(body);
    if (!('orderId' in checked)) {
      for (const { path, code, message, info } of checked) {
        found({ line, column: reader.columnOf(path), code, message, info });
      }
      continue;
    }
    amount += amountOf({ line, cashOut: checked });
    const order = orderIdentity(checked.orderId);
    const earlier = orders.get(order);
    if (earlier !== undefined) {
      const column = reader.columnOf('transaction.orderId');
      const info = { firstLine: earlier };
      found({ line, column, code: 'Duplicate', message: `line ${earlier} has the same order`, info });
    } else orders.set(order, line);
    if (total === 0) yield { line, cashOut: checked };
  }
  if (count === 0) found({ line: null, column: null, code: 'Required', message: 'the file has no line to pay' });
  if (amount > BALANCE_LIMIT) found(tooMuch(reader.columnOf('payment.value')));
  if (total > 0) throw new PayoutFileHasFaults(faults, total);
}

/** No account ever has it, and nobody could store it. */
function tooMuch(column: string | null): FileFault {
  const maximum = formatAmount(BALANCE_LIMIT);
  const message = `the amounts of all lines must add up to at most ${maximum}`;
  return { line: null, column, code: 'AmountAboveMaximum', message, info: { maximum } };
}
