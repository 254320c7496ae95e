import type { ExpectedPayer } from '../../domain/events/index.js';
import type { RailParty } from '../pix-rail.js';
import { ACCOUNT_BEHIND_KEYS } from './script.js';

const SOMEBODY = { name: 'Pagador do Sandbox', taxNumber: '52998224725', ...ACCOUNT_BEHIND_KEYS };

/** A payer who fits the cash-in; any person where it names none. */
export function fittingPayer(expected: ExpectedPayer | undefined): RailParty {
  const { name = '', taxNumber = SOMEBODY.taxNumber, account, validationAccounts } = expected ?? {};
  const person = { ...SOMEBODY, name: name || SOMEBODY.name, taxNumber };
  if (account) return { ...person, ...account };
  const [first] = validationAccounts ?? [];
  // The number of a validation account includes its digit.
  return first ? { ...person, ...first, number: first.number.slice(0, -1), digit: first.number.slice(-1) } : person;
}
