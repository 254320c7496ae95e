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

/**
 * Draws images and receipts in a worker thread: each takes milliseconds of CPU, in which the main thread could answer
 * no request. The thread starts with the first drawing, and ends when it is idle. The caller bounds the queue
 * (`PublicTurns`).
 */
@Injectable()
export class Drawings implements OnApplicationShutdown {
  readonly #logger = new Logger(Drawings.name);
  /** An image depends on its code only. Concurrent requests for one image share one drawing. */
  readonly #images = new LRUCache<string, string>({
    max: IMAGES,
    fetchMethod: (code) => this.#draw('qrImage', code),
  });
  #pool: Promise<Piscina<unknown, never>> | undefined;

  /** @returns base64 of a PNG */
  async qrImage(code: string): Promise<string> {
    return (await this.#images.fetch(code))!;
  }

  /** Never cached: it has personal data. */
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
      // A thread that crashes loses its drawing; the queue goes on with the next call, which starts another thread.
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
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 64 },
      recordTiming: false,
    });
    pool.on('error', (error: unknown) =>
      this.#logger.warn({ err: error }, 'the drawing thread crashed and is restarted'),
    );
    return pool;
  }
}
