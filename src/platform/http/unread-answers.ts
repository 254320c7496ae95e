import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes of answers that wait to be read, of all callers and of one network; each also takes about so much itself. */
const MOST = { ofAll: 64 * 1024 * 1024, ofNetwork: 32 * 1024 * 1024 };
const ITSELF = 8 * 1024;
/** Looks after which an answer is late: a minute. */
const LATE_LOOKS = 12;

/** Bytes that the callers of one network have not read yet. */
export interface UnreadBytes {
  bytes: number;
}

interface Unread {
  readonly socket: Socket;
  /** None: it counts only towards the bound of all. */
  readonly network: UnreadBytes | undefined;
  readonly bytes: number;
  /** The number of the look before it. */
  readonly look: number;
}

/**
 * Answers that were given and are not yet in the kernel's hands. Most are so for no time, those of a client that reads
 * slowly for as long as it likes. Beyond the bounds, and after the deadline, those that wait longest lose their
 * connection: nobody who reads is refused because others do not.
 */
export class UnreadAnswers {
  /** In the order in which they were given. */
  readonly #answers = new Map<ServerResponse, Unread>();
  #ofAll = 0;
  #looks = 0;
  #isMakingRoom = false;

  add(answer: ServerResponse, socket: Socket, network: UnreadBytes | undefined, length: number): void {
    if (answer.destroyed || this.#answers.has(answer)) return;
    const unread = { socket, network, bytes: length + ITSELF, look: this.#looks };
    this.#answers.set(answer, unread);
    this.#count(unread, unread.bytes);
    if (this.#isMakingRoom || (this.#ofAll <= MOST.ofAll && !this.#isTooMuch(network))) return;
    // Not at once: thousands may be given together, after one commit, and Node tells a turn later that they are taken.
    this.#isMakingRoom = true;
    setImmediate(() => this.#makeRoom());
  }

  /** It was taken, or its connection has ended. */
  delete(answer: ServerResponse): void {
    const unread = this.#answers.get(answer);
    if (!unread) return;
    this.#answers.delete(answer);
    this.#count(unread, -unread.bytes);
  }

  /** Closes the connections of those that are late. One that waits behind another on its connection is not. */
  look(): void {
    this.#looks += 1;
    for (const [answer, { look }] of this.#answers) {
      if (this.#looks - look <= LATE_LOOKS) return;
      if (answer.socket) this.#close(answer);
    }
  }

  #makeRoom(): void {
    this.#isMakingRoom = false;
    for (const [answer, { network }] of this.#answers) if (this.#isTooMuch(network)) this.#close(answer);
    for (const [answer] of this.#answers) {
      if (this.#ofAll <= MOST.ofAll) return;
      this.#close(answer);
    }
  }

  #close(answer: ServerResponse): void {
    const { socket } = this.#answers.get(answer)!;
    this.delete(answer);
    socket.destroy();
  }

  #isTooMuch(network: UnreadBytes | undefined): boolean {
    return network !== undefined && network.bytes > MOST.ofNetwork;
  }

  #count({ network }: Unread, bytes: number): void {
    this.#ofAll += bytes;
    if (network) network.bytes += bytes;
  }
}
