import { describe, expect, it } from '@jest/globals';
import type { NewEvent, RecordedEvent } from '../../event-store/index.js';
import { drawFromHold, executeHold, expireHold, placeHold, releaseHold, restoreToHold } from './hold.decider.js';
import { holdContradiction } from './hold-contradictions.js';
import { evolveHold, type Hold, holdToldBy } from './hold.js';
import { type Account, systemAccountUid } from './account.js';
import { BALANCE_LIMIT } from './balance-limit.js';
import { BalanceLimitExceeded } from './errors.js';
import { fillHolds } from './fill-holds.js';

const AT = new Date('2026-11-20T12:00:00Z');
const UID = '0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b';
const balances = { held: 0n, blocked: 0n, entries: 0 };
const account = { ...balances, uid: UID, partnerUid: 'partner', available: 30_00n } as Account;
const executed = {
  ...balances,
  uid: systemAccountUid('partner', 1, 'executed-holds'),
  system: 'executed-holds' as const,
  available: 0n,
};

const recorded = ([event]: readonly NewEvent[]) => ({ ...event!, partition: 1, time: AT }) as RecordedEvent;
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
const execute =
  (amount: bigint, available = 0n) =>
  (hold: Hold) =>
    executeHold(
      { account: held, hold, executed: { ...executed, available } },
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

it('is executed up to what the account of executed holds has room for', () => {
  expect(() => execute(10_00n, BALANCE_LIMIT - 9_99n)(follow([]))).toThrow(BalanceLimitExceeded);
  expect(execute(10_00n, BALANCE_LIMIT - 10_00n)(follow([]))).toHaveLength(1);
});

describe('a step that was decided while the row of the hold was another', () => {
  type Step = (hold: Hold) => readonly NewEvent[];
  const payment = { amount: 40_00n, transactionId: 'refund' };
  const contradiction = (hold: Hold, changes: Partial<Hold>, step: Step) =>
    holdContradiction(hold, recorded(step({ ...hold, ...changes })));
  const draw: Step = (hold) => [drawFromHold({ account: held, hold }, hold.id, payment, AT)];
  const restore: Step = (hold) => restoreToHold(held, hold, payment, AT);
  const expire: Step = (hold) => expireHold({ account: held, hold }, AT);
  const ever = new Date(AT.getTime() + 1);

  it('is nothing that `verify` tells of where it was not', () => {
    for (const step of [release(1n), release(), execute(1n)])
      expect(contradiction(follow([]), {}, step)).toBeUndefined();
    const [drawn, due] = [
      { ...follow([]), filled: 50_00n },
      { ...follow([]), expiresAt: AT },
    ];
    expect(contradiction(drawn, {}, draw)).toBeUndefined();
    expect(contradiction({ ...drawn, returned: 40_00n, status: 'Closed' }, {}, restore)).toBeUndefined();
    expect(contradiction(due, {}, expire)).toBeUndefined();
  });

  it.each<[string, string, Partial<Hold>, Step, Partial<Hold>]>([
    ['releases more than it has blocked', 'amount', { filled: 90_00n }, release(80_00n), {}],
    ['executes more', 'amount', { filled: 90_00n }, execute(80_00n), {}],
    ['draws more', 'amount', { filled: 90_00n }, draw, {}],
    ['restores what was never drawn', 'amount', { returned: 40_00n }, restore, {}],
    ['goes on after its end', 'status', { status: 'Open' }, release(), { status: 'Closed' }],
    ['is on another account', 'accountUid', { accountUid: UID }, release(), { accountUid: 'another' }],
    ['expires before its time', 'cause', { expiresAt: AT }, expire, { expiresAt: ever }],
    ['expires, though it never does', 'cause', { expiresAt: AT }, expire, {}],
  ])('is told where it %s', (_what, field, changes, step, of) => {
    expect(contradiction({ ...follow([]), ...of }, changes, step)).toMatchObject({ field });
  });

  it('is told where it moves something else than it says', () => {
    const event = recorded(release(10_00n)(follow([])));
    const data = { ...(event.data as object), amount: '900' };
    expect(holdContradiction(follow([]), { ...event, data })).toMatchObject({ field: 'postings' });
  });
});
