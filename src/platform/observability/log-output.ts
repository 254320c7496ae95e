import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DestinationStream } from 'pino';

/** Records are written together, up to so many characters. */
const CHUNK = 64 * 1024;
const RETRY_MS = 100;
/** How long the end of a process waits for a reader of its log that takes nothing, and for one that takes little. */
const UNREAD_MS = 1_000;
const WRITTEN_MS = 5_000;

/**
 * Where log records are written. A reader that stalls or is gone, or a disk that is full, neither holds up nor ends the
 * process: records wait, and are tried again.
 */
export class LogOutput implements DestinationStream {
  readonly #chunks: string[] = [];
  /** What is left of the chunk that is being written. */
  #current: Buffer | undefined;
  #retry: NodeJS.Timeout | undefined;
  #takenAt = 0;

  constructor(private readonly fd: number) {
    process.on('exit', () => this.#writeLast());
  }

  write(record: string): void {
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.length + record.length <= CHUNK) this.#chunks[this.#chunks.length - 1] += record;
    else this.#chunks.push(record);
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
    if (this.#current) this.#attempt();
    else this.#next();
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
