import type { Transaction } from '../../src/accounts/index.js';

type State = Transaction['state'];

/**
 * The states of Pix by contract 3 and decisions 6 and 7, written down apart from the table that production goes by.
 * What the payee's bank sends back is registered and completed in one commit.
 */
const FIRST: Readonly<Record<string, State>> = {
  CashOut: 'Registered',
  CashIn: 'Registered',
  'Refund Out': 'Registered',
  'Refund In': 'Completed',
};
const LAST: Readonly<Record<string, readonly State[]>> = {
  CashOut: ['Completed', 'Error', 'Reversed'],
  CashIn: ['Completed', 'Error', 'Reversed', 'Cancelled'],
  'Refund Out': ['Completed', 'Error'],
  'Refund In': [],
};

/** Every change that may be seen: `CashOut: none → Registered`. What ends a transaction is final. */
export const ALLOWED: ReadonlySet<string> = new Set(
  Object.entries(FIRST).flatMap(([kind, first]) => [
    `${kind}: none → ${first}`,
    ...LAST[kind]!.map((last) => `${kind}: ${first} → ${last}`),
  ]),
);

/** What a transaction has become since it was looked at before; `undefined`: nothing. */
export function changeOf({ type, state, details }: Transaction, before: State | undefined): string | undefined {
  const kind = type === 'Refund' ? `Refund ${String(details?.direction)}` : type;
  return state === before ? undefined : `${kind}: ${before ?? 'none'} → ${state}`;
}
