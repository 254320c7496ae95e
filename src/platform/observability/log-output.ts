import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationStream } from 'pino';

/** Characters that wait for a reader of the log, or for a disk with room; records beyond them are lost. */
const MAX_WAITING = 8 * 1024 * 1024;
/** Records are written together, up to so many characters. */
const CHUNK = 64 * 1024;
const RETRY_MS = 100;
/** How long the end of a process waits for a reader of its log that takes nothing, and for one that takes little. */
const UNREAD_MS = 1_000;
const WRITTEN_MS = 5_000;

/**
 * Where log records are written. A reader that stalls or is gone, or a disk that is full, neither holds up nor ends the
 * process: records wait in memory, up to a bound, and are tried again.
 */
class LogOutput implements DestinationStream {
  readonly #chunks: string[] = [];
  #waiting = 0;
  /** What is left of the chunk that is being written. */
  #current: Buffer | undefined;
  #retry: NodeJS.Timeout | undefined;
  #takenAt = 0;
  #lost = 0;
  #toldLost = 0;
  #tell: ((lost: number) => void) | undefined;

  constructor(private readonly fd: number) {
    process.on('exit', () => this.#writeLast());
  }

  /** Records that were lost since the process began. */
  get lost(): number {
    return this.#lost;
  }

  /** @param tell told how many records were lost, once there is room again */
  onLost(tell: (lost: number) => void): void {
    this.#tell = tell;
  }

  write(record: string): void {
    if (this.#waiting + record.length > MAX_WAITING) {
      this.#lost += 1;
      return;
    }
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.length + record.length <= CHUNK) this.#chunks[this.#chunks.length - 1] += record;
    else this.#chunks.push(record);
    this.#waiting += record.length;
    if (!this.#current) this.#next();
  }

  /** Before the process ends itself: until all is written, or nobody has taken any of it for a while. */
  async written(): Promise<void> {
    const began = performance.now();
    const until = () => Math.min(Math.max(began, this.#takenAt) + UNREAD_MS, began + WRITTEN_MS);
    while (this.#current && performance.now() < until()) await sleep(5);
  }

  #next(): void {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return;
    this.#waiting -= chunk.length;
    this.#current = Buffer.from(chunk);
    this.#attempt();
  }

  #attempt(): void {
    this.#retry = undefined;
    write(this.fd, this.#current!, (error, taken) => {
      if (error) this.#retry = setTimeout(() => this.#attempt(), RETRY_MS).unref();
      else this.#took(taken);
    });
  }

  #took(bytes: number): void {
    this.#takenAt = performance.now();
    const rest = this.#current!.subarray(bytes);
    this.#current = rest.length > 0 ? rest : undefined;
    if (this.#current) return this.#attempt();
    this.#next();
    const untold = this.#lost - this.#toldLost;
    if (untold === 0 || this.#waiting > MAX_WAITING / 2) return;
    this.#toldLost = this.#lost;
    this.#tell?.(untold);
  }

  /** One attempt, which an output that takes nothing ends: to wait for it would keep the process from ending. */
  #writeLast(): void {
    // What a thread is just writing is not written twice.
    const current = this.#retry && this.#current;
    try {
      for (let rest of [current ?? Buffer.of(), ...this.#chunks.map((chunk) => Buffer.from(chunk))]) {
        while (rest.length > 0) rest = rest.subarray(writeSync(this.fd, rest));
      }
    } catch {
      // There is nowhere left to say so.
    }
  }
}

/** Of the process. With `process.stdout`, Node has made a pipe of it one that blocks no writer. */
export const standardOutput = new LogOutput(process.stdout.fd);
