import type { EventOf, RecordedEvent } from '../../event-store/index.js';
import {
  HOLD_STEPS,
  type HOLD_STATUSES,
  type HoldAfter,
  type HoldCause,
  HoldPlaced,
  HoldRestored,
} from './hold.events.js';

/** A hold on an account's money. Amounts are centavos. */
export interface Hold {
  readonly id: string;
  readonly accountUid: string;
  readonly cause: HoldCause;
  readonly reference: string;
  /** What is wanted; it is never exceeded by what was filled. */
  readonly amount: bigint;
  /** All that was ever taken for it. */
  readonly filled: bigint;
  readonly released: bigint;
  readonly executed: bigint;
  /** What transactions of this service brought back to a payer, those under way included. */
  readonly returned: bigint;
  readonly retryUntil: Date | null;
  /** `Closed`: nothing is blocked by it, and nothing will be. */
  readonly status: (typeof HOLD_STATUSES)[number];
  readonly placedAt: Date;
  /** Version of its stream. */
  readonly version: number;
  /** It is released then, whatever is still blocked. */
  readonly expiresAt: Date | null;
  /** The transaction that brought the money, where a rule blocked it on its arrival. */
  readonly depositId: string | null;
}

export function blockedBy({ filled, released, executed, returned }: Hold): bigint {
  return filled - released - executed - returned;
}

export function streamOfHold(id: string): string {
  return `hold-${id}`;
}

/**
 * Where a hold's next event stands. Each step has an id of its own, so that `verify` sees one that was booked twice.
 */
export function nextStep({ id, version }: Hold): { stream: string; version: number; id: string; holdId: string } {
  const next = version + 1;
  return { stream: streamOfHold(id), version: next, id: `${id}/${next}`, holdId: id };
}

/** A hold after a step that moves an amount to one of its sides, as events say it. */
export function holdAfter(
  hold: Hold,
  side: 'filled' | 'released' | 'executed' | 'returned',
  amount: bigint,
  closed = false,
): HoldAfter {
  const { cause, reference, retryUntil, placedAt, expiresAt, depositId } = hold;
  const after = { ...hold, [side]: hold[side] + amount };
  return {
    ...{ cause, reference, amount: hold.amount.toString() },
    ...{ filled: after.filled.toString(), released: after.released.toString(), executed: after.executed.toString() },
    ...(after.returned !== 0n && { returned: after.returned.toString() }),
    ...(retryUntil && { retryUntil: retryUntil.toISOString() }),
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...(depositId && { depositId }),
    ...{ status: closed ? 'Closed' : hold.status, placedAt: placedAt.toISOString() },
  };
}

/** The hold that an event says; `undefined` where it is of an earlier version, or of another type. */
export function holdToldBy(event: RecordedEvent): Hold | undefined {
  if (HoldPlaced.is(event)) return placed(event);
  if (!isHoldStep(event)) return undefined;
  const { hold, holdId, accountUid } = event.data;
  return (
    hold && {
      ...{ id: holdId, accountUid, cause: hold.cause, reference: hold.reference, amount: BigInt(hold.amount) },
      ...{ filled: BigInt(hold.filled), released: BigInt(hold.released), executed: BigInt(hold.executed) },
      returned: BigInt(hold.returned ?? '0'),
      retryUntil: hold.retryUntil === undefined ? null : new Date(hold.retryUntil),
      expiresAt: hold.expiresAt === undefined ? null : new Date(hold.expiresAt),
      depositId: hold.depositId ?? null,
      ...{ status: hold.status, placedAt: new Date(hold.placedAt), version: event.version },
    }
  );
}

/** Holds that an event makes or changes. */
export function holdsOf(event: RecordedEvent): readonly string[] {
  if (HoldPlaced.is(event)) return [event.data.id];
  return isHoldStep(event) ? [event.data.holdId] : [];
}

export function isHoldStep(event: RecordedEvent): event is EventOf<(typeof HOLD_STEPS)[number]> {
  return HOLD_STEPS.some((type) => type.is(event));
}

/** The side that a step changes, and which way. */
const CHANGES = {
  HoldFilled: ['filled', 1n],
  HoldReleased: ['released', 1n],
  HoldExecuted: ['executed', 1n],
  HoldDrawn: ['returned', 1n],
  HoldRestored: ['returned', -1n],
} as const;

export function evolveHold(hold: Hold | undefined, event: RecordedEvent): Hold {
  if (HoldPlaced.is(event)) return placed(event);
  if (!hold) throw new TypeError(`${event.type} is about a hold that was never placed`);
  if (!isHoldStep(event)) throw new TypeError(`${event.type} does not change a hold`);
  const [side, sign] = CHANGES[event.type];
  const { data, version } = event;
  const changed = { ...hold, [side]: hold[side] + sign * BigInt(data.amount), version };
  if (HoldRestored.is(event)) return { ...changed, status: 'Open' };
  return 'closed' in data && data.closed ? { ...changed, status: 'Closed' } : changed;
}

function placed({ data, time, version }: EventOf<typeof HoldPlaced>): Hold {
  const { id, accountUid, cause, reference, amount, filled, retryUntil, expiresAt, depositId } = data;
  return {
    id,
    accountUid,
    cause,
    reference,
    amount: BigInt(amount),
    filled: BigInt(filled),
    released: 0n,
    executed: 0n,
    returned: 0n,
    retryUntil: retryUntil === undefined ? null : new Date(retryUntil),
    // An order that found nothing, and does not wait, has its answer.
    status: filled === '0' && retryUntil === undefined ? 'Closed' : 'Open',
    placedAt: time,
    version,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
    depositId: depositId ?? null,
  };
}
