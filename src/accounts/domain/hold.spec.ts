import { describe, expect, it } from '@jest/globals';
import type { NewEvent, RecordedEvent } from '../../event-store/index.js';
import { executeHold, placeHold, releaseHold } from './hold.decider.js';
import { evolveHold, type Hold, holdToldBy } from './hold.js';
import type { Account } from './account.js';
import { fillHolds } from './fill-holds.js';

const AT = new Date('2026-11-20T12:00:00Z');
const UID = '0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b';
const balances = { held: 0n, blocked: 0n, entries: 0 };
const account = { ...balances, uid: UID, partnerUid: 'partner', available: 30_00n } as Account;
const executed = { ...balances, uid: 'executed', system: 'executed-holds' as const, available: 0n };

const recorded = ([event]: readonly NewEvent[]) => ({ ...event!, time: AT }) as RecordedEvent;
/** Each step says the hold as it is folded from all of them. */
function follow(steps: readonly ((hold: Hold) => readonly NewEvent[])[], retryUntil?: Date): Hold {
  const order = { id: 'hold', amount: 50_00n, cause: 'Judicial', reference: 'R-1', retryUntil } as const;
  const first = recorded(placeHold(account, order, AT));
  let hold = evolveHold(undefined, first);
  expect(holdToldBy(first)).toEqual(hold);
  for (const step of steps) {
    const event = recorded(step(hold));
    hold = evolveHold(hold, event);
    expect(holdToldBy(event)).toEqual(hold);
  }
  return hold;
}

const held = { ...account, available: 0n, blocked: 30_00n };
const release = (amount?: bigint) => (hold: Hold) => releaseHold({ account: held, hold }, hold.id, amount, AT);
const execute = (amount: bigint) => (hold: Hold) =>
  executeHold(
    { account: held, hold, executed },
    hold.id,
    { amount, destination: { kind: 'JudicialTransfer', reference: 'T-1' } },
    AT,
  );

describe('what an event of a hold says of it', () => {
  it('is the hold after all events, open and closed', () => {
    expect(follow([release(10_00n), execute(15_00n)]).status).toBe('Open');
    expect(follow([release(10_00n), execute(20_00n)]).status).toBe('Closed');
    expect(follow([execute(1n), release()]).status).toBe('Closed');
  });

  it('is so where a credit fills it', () => {
    const until = new Date('2100-01-01T00:00:00Z');
    const filling = [{ id: 'hold', until: until.toISOString(), unfilled: '2000' }];
    const fill = (hold: Hold) => {
      const rows = new Map<string, ReadonlyMap<string, unknown>>([
        ['accounts', new Map([[UID, { ...held, filling }]])],
        ['holds', new Map([[hold.id, hold]])],
      ]);
      const posting = { account: UID, bucket: 'available', amount: '500', balance: '500', entry: 1 };
      const credit = { type: 'AccountCredited', stream: 'account', version: 1, data: { postings: [posting] } };
      return fillHolds([credit], { of: (name: string) => rows.get(name) } as never, AT);
    };
    expect(follow([fill], until)).toMatchObject({ filled: 35_00n, status: 'Open' });
  });

  it('is nothing in an event of an earlier version', () => {
    const event = recorded(release(1n)(follow([])));
    const { hold: _hold, ...earlier } = event.data as { hold: unknown };
    expect(holdToldBy({ ...event, data: earlier })).toBeUndefined();
  });
});
