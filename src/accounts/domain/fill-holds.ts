import { type LoadedRows, type NewEvent, RowsWanted } from '../../event-store/index.js';
import { smaller } from '../../platform/money.js';
import type { Account } from './account.js';
import { type Hold, holdAfter, nextStep } from './hold.js';
import { HoldFilled, HoldReleased } from './hold.events.js';
import { type Balances, type MovesMoney, post, type Posting } from './posting.js';

/**
 * What a command's events bring to an account goes to the holds that wait for it, oldest first, before anybody can
 * spend it. No more than that: what was available before stays so. A hold that the command released gets nothing of it
 * back.
 * @throws RowsWanted for the holds to be filled, where they were not read
 */
export function fillHolds(made: readonly NewEvent[], rows: LoadedRows, at: Date): readonly NewEvent[] {
  const accounts = rows.of<Account>('accounts');
  const filled: NewEvent[] = [];
  const wanted: string[] = [];
  for (const account of waitingAccounts(made, accounts)) {
    let now = balancesAfter(account, made.flatMap(postingsOf));
    let left = smaller(now.available, now.available - account.available);
    for (const { id, until, unfilled } of account.filling!) {
      if (left <= 0n) break;
      if (new Date(until) <= at || isReleased(made, id)) continue;
      const amount = smaller(left, BigInt(unfilled));
      left -= amount;
      const hold = rows.of<Hold>('holds').get(id);
      if (!hold) {
        wanted.push(id);
        continue;
      }
      filled.push(fill(account, now, hold, amount));
      now = {
        ...now,
        available: now.available - amount,
        blocked: now.blocked + amount,
        entries: now.entries + 2,
      };
    }
  }
  if (wanted.length > 0) throw new RowsWanted({ holds: wanted });
  return filled;
}

function fill({ partnerUid, uid }: Account, now: Balances, hold: Hold, amount: bigint): NewEvent {
  const { stream, version, ...step } = nextStep(hold);
  return HoldFilled.create(stream, version, {
    ...step,
    partnerUid,
    accountUid: uid,
    amount: amount.toString(),
    unfilled: (hold.amount - hold.filled - amount).toString(),
    hold: holdAfter(hold, 'filled', amount),
    postings: post([
      { account: now, bucket: 'available', amount: -amount },
      { account: now, bucket: 'blocked', amount },
    ]),
  });
}

/** Accounts with holds that wait, of those that the events post to: nearly always none. */
function waitingAccounts(made: readonly NewEvent[], accounts: ReadonlyMap<string, Account>): Iterable<Account> {
  let found: Set<Account> | undefined;
  for (const event of made) {
    for (const posting of postingsOf(event)) {
      const account = accounts.get(posting.account);
      if (account?.filling) (found ??= new Set()).add(account);
    }
  }
  return found ?? [];
}

/** An account's balances after postings, of which some may be on other accounts. */
export function balancesAfter(
  { uid, available, held, blocked, entries }: Balances,
  postings: readonly Posting[],
): Balances {
  const now = { uid, available, held, blocked, entries };
  for (const { account, bucket, balance, entry } of postings) {
    if (account !== uid) continue;
    now[bucket] = BigInt(balance);
    now.entries = entry;
  }
  return now;
}

function isReleased(made: readonly NewEvent[], id: string): boolean {
  return made.some(({ type, data }) => type === HoldReleased.type && (data as { holdId: string }).holdId === id);
}

const NONE: readonly Posting[] = [];
const postingsOf = ({ data }: NewEvent) => (data as Partial<MovesMoney>).postings ?? NONE;
