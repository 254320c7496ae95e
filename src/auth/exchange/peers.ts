/** Own beats in which another was not heard: it has ended. */
const GONE_BEATS = 4;
/** Beats without an echo: who does not hear itself does not hear the others either. */
const DEAF_BEATS = 3;
/** Echoes after which who hears again is believed: it may be cut off again before what others count is known here. */
const SETTLED_ECHOES = 2;

interface Peer {
  /** Own echoes since it was heard. */
  silence: number;
  /** Not heard since this process could not hear: it may give away its part by itself. */
  isMissed: boolean;
}

/**
 * Which other processes serve, and whether this one hears them. All is told by what comes in one order over one
 * connection, and nothing by a clock: a process that is starved of the processor takes nobody for gone.
 */
export class Peers {
  readonly #peers = new Map<string, Peer>();
  #unanswered = 0;
  /** Echoes since it hears again; a process that has just started was never cut off. */
  #echoes = SETTLED_ECHOES;
  #isCut = false;

  /** This process says that it is here. */
  beat(): void {
    this.#unanswered += 1;
  }

  /** This process hears that it has said so. */
  echo(): void {
    if (this.#isDeaf) this.#hearAgain();
    this.#unanswered = 0;
    this.#echoes += 1;
    for (const [peer, one] of this.#peers) if (++one.silence >= GONE_BEATS) this.#peers.delete(peer);
  }

  /** @returns whether it is new, or was missed */
  heard(peer: string): boolean {
    const before = this.#peers.get(peer);
    this.#peers.set(peer, { silence: 0, isMissed: false });
    return before?.isMissed ?? true;
  }

  left(peer: string): void {
    this.#peers.delete(peer);
  }

  /** The connection is gone: nothing is heard until this process hears itself again. */
  cut(): void {
    this.#isCut = true;
  }

  /**
   * @returns whether there are others to be told, and the part of a limit that is this process's own: all of it while
   * they are heard, for then their part is counted too; else an equal part, as many as there were when they were
   */
  state(): { readonly others: boolean; readonly share: number } {
    const isSettled = !this.#isDeaf && this.#echoes >= SETTLED_ECHOES;
    const hearsAll = isSettled && ![...this.#peers.values()].some(({ isMissed }) => isMissed);
    return { others: !this.#isDeaf && this.#peers.size > 0, share: hearsAll ? 1 : 1 / (this.#peers.size + 1) };
  }

  get #isDeaf(): boolean {
    return this.#isCut || this.#unanswered > DEAF_BEATS;
  }

  /** From now on others can be heard again; whether they are still there will show. */
  #hearAgain(): void {
    this.#isCut = false;
    this.#echoes = 0;
    for (const peer of this.#peers.values()) Object.assign(peer, { silence: 0, isMissed: true });
  }
}
