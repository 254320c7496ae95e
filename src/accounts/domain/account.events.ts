import { defineEvent, type Personal } from '../../event-store/index.js';
import { describeEntries } from './entry.js';
import type { Posting } from './posting.js';

export const ACCOUNT_CLASSES = ['Standard', 'Legacy'] as const;
export type AccountClass = (typeof ACCOUNT_CLASSES)[number];
export type AccountStatus = 'Active' | 'Inactive';
export const ACCOUNT_TYPES = ['CheckingsAccount', 'SavingsAccount', 'SalaryAccount', 'PaymentAccount'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** Who holds an account, and its number at the operator's institution. */
export interface Holder {
  readonly name: string;
  readonly taxNumber: string;
  readonly branch: string;
  readonly number: string;
  readonly digit: string;
}

export const AccountOpened = defineEvent<{
  uid: string;
  partnerUid: string;
  holder: Personal<Holder>;
  type: AccountType;
  class: AccountClass;
}>()('AccountOpened', 'The operator opened an account for a partner.');

export const AccountDeactivated = defineEvent<{ uid: string; reason: Personal<string> }>()(
  'AccountDeactivated',
  'The account can no longer send, receive or create deposits. Payments under way still settle or come back.',
);

export const AccountActivated = defineEvent<{ uid: string; reason: Personal<string> }>()(
  'AccountActivated',
  'The account is in use again.',
);

export const AccountCredited = defineEvent<{
  id: string;
  uid: string;
  partnerUid: string;
  amount: string;
  reason: Personal<string>;
  postings: readonly Posting[];
}>()('AccountCredited', 'The operator funded an account.');

describeEntries(AccountCredited, ({ id, reason }) => ({ kind: 'Credit', transactionId: id, description: reason }));
