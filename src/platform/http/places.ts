/** A client that sends or reads less than this, after a while, is slow. */
const BYTES_PER_SECOND = 64 * 1024;
const SLOW_AFTER_MS = 2_000;

/** @param ms in which so many bytes went from or to a client that was waited for */
export const isTooSlow = (bytes: number, ms: number): boolean =>
  ms > SLOW_AFTER_MS && bytes < (BYTES_PER_SECOND * ms) / 1000;

/** A long body or answer while it is under way. */
export interface UnderWay {
  /** Whether its client is what it waits for. */
  readonly isSlow: boolean;
  /** Breaks off. */
  giveWay(): void;
}

/** What an owner is told that has a place already, and anybody where there is none. */
interface Refusals {
  readonly second: () => Error;
  readonly full: () => Error;
}

/**
 * Places of a process for long bodies or answers, one of an owner at a time. They have all the time they need while
 * there are places; then a slow one gives way.
 */
export class Places<T extends UnderWay> {
  /** By owner, the longest first. */
  readonly #taken = new Map<string, T>();

  constructor(
    private readonly most: number,
    private readonly refusals: Refusals,
  ) {}

  /**
   * Takes a place, before anything is awaited: many ask at once.
   * @param begin what takes it, with what gives the place back
   * @throws what the refusals say
   */
  take(owner: string, begin: (release: () => void) => T): T {
    if (this.#taken.has(owner)) throw this.refusals.second();
    if (this.#taken.size >= this.most && !this.#endSlow()) throw this.refusals.full();
    const own: T = begin(() => {
      if (this.#taken.get(owner) === own) this.#taken.delete(owner);
    });
    this.#taken.set(owner, own);
    return own;
  }

  /** @returns whether there was one, whose place is free now */
  #endSlow(): boolean {
    const found = [...this.#taken].find(([, { isSlow }]) => isSlow);
    if (!found) return false;
    const [owner, slow] = found;
    this.#taken.delete(owner);
    slow.giveWay();
    return true;
  }
}
