import type { NewEvent, Personal } from '../../event-store/index.js';
import type { Account } from './account.js';
import { AccountCredited } from './account.events.js';
import { assertRoom } from './balance-limit.js';
import { DestinationAccountIsNotActive } from './errors.js';
import { type Movement, post } from './posting.js';

/** The state on which a credit is decided. */
export interface CreditState {
  readonly account: Account;
  /** The partner's system account for operator funding. */
  readonly funding: Movement['account'];
}

export interface CreditRequest {
  readonly id: string;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly reason: Personal<string>;
}

/** An inactive account receives nothing, not even from the operator (decisions 3). */
export function creditAccount({ account, funding }: CreditState, request: CreditRequest): readonly NewEvent[] {
  if (account.status !== 'Active') throw new DestinationAccountIsNotActive();
  const { uid, partnerUid, version } = account;
  const { id, amount, reason } = request;
  assertRoom(account, amount);
  assertRoom(funding, -amount);
  const postings = post([
    { account: funding, bucket: 'available', amount: -amount },
    { account, bucket: 'available', amount },
  ]);
  const data = { id, uid, partnerUid, amount: amount.toString(), reason, postings };
  return [AccountCredited.create(`account-${uid}`, version + 1, data)];
}
