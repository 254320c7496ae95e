import type { Contradiction, EventOf, RecordedEvent } from '../../event-store/index.js';
import { differs, type ExpectedMovement, movesOtherwise } from './contradicted.js';
import { blockedBy, evolveHold, type Hold, holdToldBy, isHoldStep } from './hold.js';
import { type HOLD_STEPS, HoldFilled, HoldReleased, HoldRestored } from './hold.events.js';
import type { Bucket } from './posting.js';

type HoldStep = EventOf<(typeof HOLD_STEPS)[number]>;

/** From which bucket of its account to which one a step moves its amount; executed holds leave the account. */
const MOVES: Readonly<Record<HoldStep['type'], readonly [Bucket, Bucket]>> = {
  HoldFilled: ['available', 'blocked'],
  HoldReleased: ['blocked', 'available'],
  HoldExecuted: ['blocked', 'available'],
  HoldDrawn: ['blocked', 'held'],
  HoldRestored: ['held', 'blocked'],
};

/** What a step of a hold contradicts of the hold as the events before made it, whatever its row was meanwhile. */
export function holdContradiction(hold: Hold | undefined, event: RecordedEvent): Contradiction | undefined {
  if (!hold || !isHoldStep(event)) return undefined;
  const { accountUid, amount } = event.data;
  // What was drawn may come back to a hold that has ended.
  const isOver = hold.status === 'Closed' && !HoldRestored.is(event);
  return (
    differs('accountUid', hold.accountUid, accountUid) ??
    ofDeposit(hold, event) ??
    (isOver ? differs('status', 'Open', hold.status) : undefined) ??
    (isTooMuch(evolveHold(hold, event)) ? { field: 'amount', expected: limitsOf(hold), found: amount } : undefined) ??
    tooEarly(hold, event) ??
    stillWanted(hold, event) ??
    movesOtherwise(event, movementsOf(hold, event))
  );
}

function ofDeposit({ depositId }: Hold, event: HoldStep): Contradiction | undefined {
  const told = holdToldBy(event);
  return told && differs('hold.depositId', depositId, told.depositId);
}

function isTooMuch(after: Hold): boolean {
  return after.filled > after.amount || blockedBy(after) < 0n || after.returned < 0n;
}

function limitsOf(hold: Hold): string {
  const { amount, filled, returned } = hold;
  return `${amount - filled} to fill, ${blockedBy(hold)} blocked, ${returned} to come back`;
}

/** What it does not want any more, no credit fills. */
function stillWanted({ amount, filled }: Hold, event: HoldStep): Contradiction | undefined {
  if (!HoldFilled.is(event)) return undefined;
  return differs('unfilled', (amount - filled - BigInt(event.data.amount)).toString(), event.data.unfilled);
}

function tooEarly({ expiresAt }: Hold, event: HoldStep): Contradiction | undefined {
  if (!HoldReleased.is(event) || event.data.cause !== 'Expired') return undefined;
  if (expiresAt && expiresAt <= event.time) return undefined;
  return { field: 'cause', expected: `time until ${expiresAt?.toISOString() ?? 'ever'}`, found: 'Expired' };
}

function movementsOf({ accountUid }: Hold, { type, data }: HoldStep): readonly ExpectedMovement[] {
  const amount = BigInt(data.amount);
  const [from, to] = MOVES[type];
  return [
    [accountUid, from, -amount],
    [type === 'HoldExecuted' ? 'executed-holds' : accountUid, to, amount],
  ];
}
