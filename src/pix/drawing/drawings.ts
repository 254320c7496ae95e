import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Piscina } from 'piscina';
import { Overloaded } from '../../platform/errors/index.js';
import { programFile } from '../../platform/program-file.js';
import type { Receipt } from '../queries/receipt/receipt.js';
import type * as Thread from './drawing-thread.js';

/** Images that are kept, of 4 to 7 KB each. */
const IMAGES = 1_000;
const IDLE_MS = 30_000;
const DRAWING_MS = 5_000;
/** Less than the main thread and the database have: whoever waits for money goes first. */
const NICE = 10;

/**
 * Images and receipts, drawn by a thread of their own: each takes the processor for milliseconds, in which the main
 * thread would answer nobody. The thread starts with the first of them, and its memory is given back when none is asked
 * for. How many wait for it is the caller's to bound (`PublicTurns`).
 */
@Injectable()
export class Drawings implements OnApplicationShutdown {
  readonly #logger = new Logger(Drawings.name);
  /** An image follows from its code. Who asks for one that is being drawn waits for that. */
  readonly #images = new LRUCache<string, string>({
    max: IMAGES,
    fetchMethod: (code) => this.#draw('qrImage', code),
  });
  #pool: Promise<Piscina<unknown, never>> | undefined;

  /** @returns base64 of a PNG */
  async qrImage(code: string): Promise<string> {
    return (await this.#images.fetch(code))!;
  }

  /** Never kept: there are people in it. */
  receiptPdf(receipt: Receipt): Promise<Uint8Array> {
    return this.#draw('receiptPdf', receipt);
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.#pool)?.destroy();
  }

  async #draw<K extends keyof typeof Thread>(
    name: K,
    what: Parameters<(typeof Thread)[K]>[0],
  ): Promise<Awaited<ReturnType<(typeof Thread)[K]>>> {
    const pool = await (this.#pool ??= this.#start());
    try {
      // A thread that breaks takes what it draws with it; what waited for it waits for the next call, which starts another.
      return await pool.run(what, { name, signal: AbortSignal.timeout(DRAWING_MS) });
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw new Overloaded('It could not be drawn in time.');
      throw error;
    }
  }

  async #start(): Promise<Piscina<unknown, never>> {
    const { Piscina } = await import('piscina');
    const pool = new Piscina<unknown, never>({
      filename: programFile('pix/drawing/drawing-thread.js'),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      niceIncrement: NICE,
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 },
      recordTiming: false,
    });
    pool.on('error', (error: unknown) =>
      this.#logger.warn({ err: error }, 'the drawing thread broke and is started again'),
    );
    return pool;
  }
}
