/** Own echoes without a message of another process: it has ended. */
const GONE_BEATS = 4;
/** Heartbeats without an echo: a process that does not receive its own messages receives no others. */
const DISCONNECTED_BEATS = 3;
/** Echoes after which a reconnected process counts as settled: earlier ones may precede what others counted. */
const SETTLED_ECHOES = 2;

interface Peer {
  /** Own echoes since its last message. */
  silence: number;
  /** No message since this process was disconnected: it may be granting its share by itself. */
  isMissing: boolean;
}

/**
 * Which other processes serve, and whether this one receives their messages. All of it follows from the messages of one
 * connection, which come in one order, and nothing from a clock: a process that is starved of the processor does not
 * count others as gone.
 */
export class FailureDetector {
  readonly #peers = new Map<string, Peer>();
  #unanswered = 0;
  /** Echoes since the reconnection; a process that has just started was never disconnected. */
  #echoes = SETTLED_ECHOES;
  #connectionLost = false;

  /** This process sends a heartbeat. */
  beat(): void {
    this.#unanswered += 1;
  }

  /** This process receives its own heartbeat. */
  echo(): void {
    if (this.#isDisconnected) this.#reconnected();
    this.#unanswered = 0;
    this.#echoes += 1;
    for (const [id, peer] of this.#peers) if (++peer.silence >= GONE_BEATS) this.#peers.delete(id);
  }

  /** @returns whether the sender is new, or was missing */
  received(id: string): boolean {
    const before = this.#peers.get(id);
    this.#peers.set(id, { silence: 0, isMissing: false });
    return before?.isMissing ?? true;
  }

  left(id: string): void {
    this.#peers.delete(id);
  }

  /** The connection broke: nothing is received until the next echo. */
  disconnected(): void {
    this.#connectionLost = true;
  }

  /**
   * @returns whether others are reachable, and the share of a limit that this process may grant: all of it while it
   *   receives their counts; otherwise an equal share, by the number of processes it last knew
   */
  state(): { readonly hasPeers: boolean; readonly share: number } {
    const isSettled = !this.#isDisconnected && this.#echoes >= SETTLED_ECHOES;
    const hasAll = isSettled && ![...this.#peers.values()].some(({ isMissing }) => isMissing);
    return {
      hasPeers: !this.#isDisconnected && this.#peers.size > 0,
      share: hasAll ? 1 : 1 / (this.#peers.size + 1),
    };
  }

  get #isDisconnected(): boolean {
    return this.#connectionLost || this.#unanswered > DISCONNECTED_BEATS;
  }

  /** Messages arrive again; whether the others are still there will show. */
  #reconnected(): void {
    this.#connectionLost = false;
    this.#echoes = 0;
    for (const peer of this.#peers.values()) Object.assign(peer, { silence: 0, isMissing: true });
  }
}
