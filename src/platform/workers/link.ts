import type { Socket } from 'node:net';
import { FrameReader, toFrame } from './wire.js';

/** What one worker asks of another, or tells it. */
export type Call = readonly [id: number, kind: string, value: unknown];
/** How a call ended: with a value, with an error, or not at all: nothing was done. */
export type Reply = readonly [id: number, ending: 'done' | 'failed' | 'refused', value?: unknown];

/** Whether a call was carried out is not known: its worker ended, or gave no answer in time. */
export class NoAnswer extends Error {}

/** Nothing was done: the other worker is ending, does not know the command, or could not be reached. */
export class NotTaken extends Error {}

/**
 * Messages over a socket between two workers. What is sent within one turn of the event loop goes as one message: at
 * full load that is tens of commands.
 */
class Batches<Sent extends Call | Reply, Received extends Call | Reply> {
  readonly #reader = new FrameReader();
  #waiting: Sent[] = [];

  /** @param unsendable called for a message that is no data */
  constructor(
    private readonly socket: Socket,
    received: (message: Received) => void,
    private readonly unsendable: (message: Sent, error: unknown) => void,
  ) {
    socket.on('data', (chunk: Buffer) => {
      for (const batch of this.#reader.read(chunk)) (batch as Received[]).forEach(received);
    });
  }

  send(message: Sent): void {
    if (this.#waiting.push(message) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#write(batch);
  }

  /** One by one what cannot be sent together. Messages that are sent meanwhile wait for the next turn. */
  #write(batch: readonly Sent[]): void {
    if (this.socket.destroyed) return;
    try {
      this.socket.write(toFrame(batch));
    } catch (error) {
      if (batch.length === 1) this.unsendable(batch[0]!, error);
      else for (const message of batch) this.#write([message]);
    }
  }
}

interface Pending {
  /** By the monotonic clock. */
  readonly deadline: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The asking side of a link. */
export class LinkClient {
  readonly #pending = new Map<number, Pending>();
  readonly #batches: Batches<Call, Reply>;
  #id = 0;
  #isConnected = false;
  readonly #watch: NodeJS.Timeout;

  /** @param closed called once, when the other side is gone */
  constructor(
    private readonly socket: Socket,
    private readonly patienceMs: number,
    closed: () => void,
  ) {
    this.#batches = new Batches<Call, Reply>(
      socket,
      (reply) => this.#answered(reply),
      ([id]) => this.#settle(id)?.reject(new NotTaken()),
    );
    this.#watch = setInterval(() => this.#dropLate(), 1_000).unref();
    socket.once('connect', () => (this.#isConnected = true));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(this.#watch);
      closed();
      // Before it was connected nothing was sent.
      for (const { reject } of this.#pending.values()) reject(this.#isConnected ? new NoAnswer() : new NotTaken());
      this.#pending.clear();
    });
  }

  /**
   * @throws NoAnswer, NotTaken; or what the other side threw
   */
  call(kind: string, value: unknown): Promise<unknown> {
    if (this.socket.destroyed) return Promise.reject(new NotTaken());
    return new Promise((resolve, reject) => {
      const id = (this.#id += 1);
      this.#pending.set(id, { deadline: performance.now() + this.patienceMs, resolve, reject });
      this.#batches.send([id, kind, value]);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  #answered([id, ending, value]: Reply): void {
    const pending = this.#settle(id);
    if (!pending) return;
    if (ending === 'done') pending.resolve(value);
    else pending.reject(ending === 'failed' ? value : new NotTaken());
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** They are in the order in which they were sent. */
  #dropLate(): void {
    const now = performance.now();
    for (const [id, { deadline, reject }] of this.#pending) {
      if (deadline > now) return;
      this.#pending.delete(id);
      reject(new NoAnswer());
    }
  }
}

/** The answering side of a link. @param carryOut `undefined`: refused, nothing is done */
export function answerCalls(
  socket: Socket,
  carryOut: (kind: string, value: unknown) => Promise<unknown> | undefined,
): void {
  const fail = (id: number, error: unknown) => replies.send([id, 'failed', error]);
  const replies: Batches<Reply, Call> = new Batches<Reply, Call>(
    socket,
    ([id, kind, value]) => {
      const running = begun(() => carryOut(kind, value));
      if (!running) return replies.send([id, 'refused']);
      running.then(
        (result) => replies.send([id, 'done', result]),
        (error: unknown) => fail(id, error),
      );
    },
    ([id], error) => fail(id, error),
  );
  socket.on('error', () => undefined);
}

/** What throws at once has begun nothing, and is refused: a command that workers of another build know, say. */
function begun<T>(begin: () => T | undefined): T | undefined {
  try {
    return begin();
  } catch {
    return undefined;
  }
}
