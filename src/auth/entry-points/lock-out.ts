import { keepHalf } from '../limits/keep-half.js';

const FAILURES = 10;
const FIRST_MS = 30_000;
const LONGEST_MS = 3_600_000;
/** From this many failures on the lock-out is the longest. */
export const MOST_FAILURES = FAILURES + Math.ceil(Math.log2(LONGEST_MS / FIRST_MS));
/** One failure expires after each of these without a failure. */
const FORGIVE_MS = 600_000;
const MOST_ENTRIES = 50_000;

interface Failures {
  /** As of `until`. */
  count: number;
  /** End of the lock-out; without one, the last failure. Milliseconds of a monotonic clock. */
  until: number;
  /** Those that claimed a credential, by its name. */
  readonly named: Map<string, number>;
}

/**
 * Failures by key, and the lock-out that follows: after ten of them 30 s, twice as long with each further one, up to an
 * hour. They expire one by one. Bounded: of too many keys those with the fewest failures are evicted first.
 */
export class LockOut {
  readonly #failures = new Map<string, Failures>();

  /** Milliseconds for which the key is still locked out; 0 for not at all. */
  pause(key: string, now: number = performance.now()): number {
    return Math.max(0, (this.#failures.get(key)?.until ?? 0) - now);
  }

  /** @param name of the claimed credential, if the claim has one: only its own success takes this failure back */
  failed(key: string, name?: string, now: number = performance.now()): void {
    const before = this.#failures.get(key);
    const count = Math.min((before ? left(before, now) : 0) + 1, MOST_FAILURES);
    const named = before?.named ?? new Map<string, number>();
    if (name !== undefined) setNamed(named, name, (named.get(name) ?? 0) + 1);
    const pause = count < FAILURES ? 0 : Math.min(FIRST_MS * 2 ** (count - FAILURES), LONGEST_MS);
    this.#put(key, { count, until: now + pause, named }, now);
  }

  /**
   * Takes back the failures that claimed this credential, and no others: those may be guesses at another one.
   * @returns whether there were any
   */
  succeeded(key: string, name: string, now: number = performance.now()): boolean {
    const failures = this.#failures.get(key);
    const own = failures?.named.get(name);
    if (!failures || own === undefined) return false;
    failures.named.delete(name);
    failures.count = left(failures, now) - own;
    if (failures.count <= 0) this.#failures.delete(key);
    else if (failures.count < FAILURES) failures.until = now;
    return true;
  }

  /** Keys that are locked out, the longest first, with the remaining time. */
  pauses(): (readonly [key: string, milliseconds: number])[] {
    const now = performance.now();
    return [...this.#failures]
      .flatMap(([key, { until }]) => (until > now ? [[key, until - now] as const] : []))
      .sort(([, one], [, other]) => other - one);
  }

  /** A lock-out that began at another process, before this one counted. One longer than any is none. */
  paused(key: string, milliseconds: number): void {
    if (milliseconds > LONGEST_MS) return;
    const now = performance.now();
    const count = FAILURES + Math.max(0, Math.ceil(Math.log2(milliseconds / FIRST_MS)));
    const before = this.#failures.get(key);
    if ((before?.until ?? 0) >= now + milliseconds) return;
    this.#put(key, { count, until: now + milliseconds, named: before?.named ?? new Map<string, number>() }, now);
  }

  /** Failures by the credential that they claimed; those of the keys with the most failures first. */
  *claims(): Iterable<readonly [key: string, name: string, failures: number]> {
    const now = performance.now();
    const ranked = [...this.#failures].sort(([, one], [, other]) => left(other, now) - left(one, now));
    for (const [key, { named }] of ranked) for (const [name, failures] of named) yield [key, name, failures];
  }

  /** Failures counted elsewhere, before this process counted: here they only tell what a success takes back. */
  claimed(key: string, name: string, failures: number): void {
    const now = performance.now();
    const { count, until, named } = this.#failures.get(key) ?? {
      count: 0,
      until: now,
      named: new Map<string, number>(),
    };
    setNamed(named, name, Math.max(failures, named.get(name) ?? 0));
    this.#put(key, { count, until, named }, now);
  }

  #put(key: string, failures: Failures, now: number): void {
    const isFull = this.#failures.size >= MOST_ENTRIES && !this.#failures.has(key);
    if (isFull) keepHalf(this.#failures, MOST_ENTRIES, (one) => left(one, now));
    this.#failures.set(key, failures);
  }
}

/** Bounded: of more names than that, the failures are nobody's. */
function setNamed(named: Map<string, number>, name: string, failures: number): void {
  if (named.has(name) || named.size < MOST_FAILURES) named.set(name, failures);
}

/** Failures that have not expired. */
function left({ count, until }: Failures, now: number): number {
  return Math.max(0, count - Math.max(0, Math.floor((now - until) / FORGIVE_MS)));
}
