import type { RecordedEvent } from '../../event-store/index.js';
import { isHoldStep } from './hold.js';
import { HoldDrawn, HoldExecuted, HoldFilled, HoldPlaced, HoldReleased } from './hold.events.js';

/**
 * A hold that waits for credits. It stands in the account's row, so that a credit of an account without any reads
 * nothing more.
 */
export interface Filling {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly until: string;
  /** Centavos in decimal text. */
  readonly unfilled: string;
}

/** The account of an event of a hold, which may move nothing; none for every other event. */
export function accountOfHold(event: RecordedEvent): readonly string[] {
  return HoldPlaced.is(event) || isHoldStep(event) ? [event.data.accountUid] : [];
}

/** The account's waiting holds after an event, in the order in which they were made; `null` for none. */
export function fillingAfter(before: readonly Filling[] | null, event: RecordedEvent): readonly Filling[] | null {
  if (HoldPlaced.is(event)) {
    const { id, amount, filled, retryUntil: until } = event.data;
    const unfilled = BigInt(amount) - BigInt(filled);
    if (until === undefined || unfilled === 0n) return before;
    return [...(before ?? []), { id, until, unfilled: unfilled.toString() }];
  }
  if (!before) return null;
  if (HoldFilled.is(event)) {
    const { holdId, unfilled } = event.data;
    // The oldest is filled first: of thousands, none of the others is looked at.
    const place = before.findIndex(({ id }) => id === holdId);
    if (place < 0) return before;
    return unfilled === '0' ? some(before.toSpliced(place, 1)) : before.with(place, { ...before[place]!, unfilled });
  }
  if ((HoldReleased.is(event) || HoldExecuted.is(event) || HoldDrawn.is(event)) && event.data.closed) {
    return some(before.filter(({ id }) => id !== event.data.holdId));
  }
  return before;
}

const some = (filling: readonly Filling[]) => (filling.length > 0 ? filling : null);
