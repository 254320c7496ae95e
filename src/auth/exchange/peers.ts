/** Four beats: who was not heard for so long has ended. */
const GONE_MS = 2_000;
/** Three beats: who does not hear itself does not hear the others either. */
const DEAF_MS = 1_500;
/** A beat: who has just begun to hear may be cut off again before what is counted elsewhere is known here. */
const SETTLED_MS = 500;

interface Peer {
  at: number;
  /** Not heard since this process could not hear: it may give away its part by itself. */
  isMissed: boolean;
}

/** Which other processes serve, and whether this one hears them. */
export class Peers {
  readonly #peers = new Map<string, Peer>();
  #heardSelfAt = Number.NEGATIVE_INFINITY;
  #hearsSince = Number.POSITIVE_INFINITY;

  heardSelf(now: number = performance.now()): void {
    if (this.#isDeaf(now)) this.#beginToHear(now);
    this.#heardSelfAt = now;
  }

  /** @returns whether it is new, or was missed */
  heard(peer: string, now: number = performance.now()): boolean {
    const before = this.#peers.get(peer);
    this.#peers.set(peer, { at: now, isMissed: false });
    return before?.isMissed ?? true;
  }

  left(peer: string): void {
    this.#peers.delete(peer);
  }

  /** The connection is gone: nothing is heard until this process hears itself again. */
  deafen(): void {
    this.#heardSelfAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * @returns whether there are others to be told, and the part of a limit that is this process's own: all of it while
   * they are heard, for then their part is counted too; else an equal part, as many as there were when they were
   */
  state(now: number = performance.now()): { readonly others: boolean; readonly share: number } {
    const isDeaf = this.#isDeaf(now);
    for (const [peer, { at }] of isDeaf ? [] : this.#peers) if (now - at > GONE_MS) this.#peers.delete(peer);
    const isSettled = !isDeaf && now - this.#hearsSince >= SETTLED_MS;
    const hearsAll = isSettled && ![...this.#peers.values()].some(({ isMissed }) => isMissed);
    return { others: !isDeaf && this.#peers.size > 0, share: hearsAll ? 1 : 1 / (this.#peers.size + 1) };
  }

  #isDeaf(now: number): boolean {
    return now - this.#heardSelfAt > DEAF_MS;
  }

  /** From now on others can be heard again; whether they are still there will show. */
  #beginToHear(now: number): void {
    this.#hearsSince = now;
    for (const peer of this.#peers.values()) Object.assign(peer, { at: now, isMissed: true });
  }
}
