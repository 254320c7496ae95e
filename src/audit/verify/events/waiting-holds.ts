import {
  accountOfHold,
  type Filling,
  fillingAfter,
  HoldPlaced,
  HoldReleased,
  movesMoney,
} from '../../../accounts/index.js';
import type { RecordedEvent } from '../../../event-store/index.js';
import type { Findings } from '../report.js';

const CHECK = 'credits of waiting holds';

/** An account with holds that wait, and what the events of one time brought to it. */
interface Waiting {
  filling: readonly Filling[] | null;
  brought: bigint;
  /** Of what was brought last. */
  credit?: RecordedEvent;
  /** Holds that were released meanwhile: they get nothing of it. */
  readonly released: Set<string>;
}

/**
 * What comes to an account goes to the holds that wait for it, in the same commit. Lanes read in the account's row
 * which holds wait, and somebody may have changed it and put it back.
 */
export class WaitingHolds {
  readonly #accounts = new Map<string, Waiting>();
  readonly #touched = new Set<string>();
  #time = 0;

  constructor(private readonly findings: Findings) {}

  /** @param event the next one of its partition */
  examine(event: RecordedEvent): void {
    const time = event.time.getTime();
    if (time !== this.#time) this.finish();
    this.#time = time;
    if (HoldPlaced.is(event) && event.data.retryUntil !== undefined && !this.#accounts.has(event.data.accountUid)) {
      this.#accounts.set(event.data.accountUid, { filling: null, brought: 0n, released: new Set() });
    }
    if (this.#accounts.size > 0) this.#apply(event);
  }

  /** After the last event of a commit. */
  finish(): void {
    for (const account of this.#touched) {
      const waiting = this.#accounts.get(account)!;
      this.#compare(account, waiting);
      if (!waiting.filling) this.#accounts.delete(account);
      waiting.brought = 0n;
      waiting.released.clear();
    }
    this.#touched.clear();
  }

  #apply(event: RecordedEvent): void {
    for (const [account, brought] of broughtBy(event)) {
      const waiting = this.#accounts.get(account);
      if (!waiting) continue;
      this.#touched.add(account);
      waiting.filling = fillingAfter(waiting.filling, event);
      waiting.brought += brought;
      if (brought > 0n) waiting.credit = event;
      if (HoldReleased.is(event)) waiting.released.add(event.data.holdId);
    }
  }

  #compare(account: string, { filling, brought, credit, released }: Waiting): void {
    this.findings.saw(CHECK);
    if (brought <= 0n || !credit || !filling) return;
    const wanting = filling.filter(({ id, until }) => isOpen(until, credit.time) && !released.has(id));
    const wanted = wanting.reduce((sum, { unfilled }) => sum + BigInt(unfilled), 0n);
    if (wanted === 0n) return;
    const { partition, position, type } = credit;
    const expected = `${wanted < brought ? wanted : brought} for holds that wait`;
    const found = 'available';
    this.findings.report({
      ...{ check: CHECK, partition, position, subject: `${type} of ${account}` },
      ...{ field: 'data.postings', expected, found },
    });
  }
}

/** What an event adds to what is available, by account; an event of a hold may add nothing. */
function broughtBy(event: RecordedEvent): ReadonlyMap<string, bigint> {
  const brought = new Map<string, bigint>();
  if (!movesMoney(event)) return brought;
  for (const account of accountOfHold(event)) brought.set(account, 0n);
  for (const { account, bucket, amount } of event.data.postings) {
    if (bucket === 'available') brought.set(account, (brought.get(account) ?? 0n) + BigInt(amount));
  }
  return brought;
}

/** Versions before took a time beyond the year 9999, which has a sign, for one that is over. */
function isOpen(until: string, at: Date): boolean {
  return new Date(until) > at && !until.startsWith('+');
}
