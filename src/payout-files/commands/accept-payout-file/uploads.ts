import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Overloaded, TooManyRequests } from '../../../platform/errors/index.js';
import { readAhead } from '../../reading/read-ahead.js';

/** Files that a process reads at a time: each costs it a part of a core for some seconds, and what is read ahead. */
const MOST = 4;
const RETRY_AFTER_S = 5;
/** A file of which less arrives gives way, after a while, to one that would find no place. */
const BYTES_PER_SECOND = 64 * 1024;
const SLOW_AFTER_MS = 2_000;

/** A file while it arrives. */
class Arriving {
  readonly bytes: Readable;
  readonly #since = performance.now();
  #arrived = 0;

  constructor(private readonly body: Readable) {
    this.bytes = readAhead(body);
    body.on('data', (piece: Buffer) => (this.#arrived += piece.length));
  }

  /** Whether its sender is what it waits for. */
  get isSlow(): boolean {
    const ms = performance.now() - this.#since;
    return ms > SLOW_AFTER_MS && !this.body.readableEnded && this.#arrived < (BYTES_PER_SECOND * ms) / 1000;
  }
}

/** Files that arrive: one of a partner at a time, so that a partner with many connections has no more than others. */
@Injectable()
export class Uploads {
  /** By partner, the longest first. */
  readonly #arriving = new Map<string, Arriving>();

  /**
   * @param body of the request
   * @param work gets what is read ahead of it
   * @throws TooManyRequests for a partner's second file; Overloaded when too many arrive, or it does so too slowly
   */
  async run<T>(partnerUid: string, body: Readable, work: (bytes: Readable) => Promise<T>): Promise<T> {
    if (this.#arriving.has(partnerUid)) {
      throw new TooManyRequests('Another file of yours is arriving. Nothing was done.', RETRY_AFTER_S);
    }
    if (this.#arriving.size >= MOST && !this.#endSlow()) {
      throw new Overloaded('Too many files are arriving. Nothing was done.', RETRY_AFTER_S);
    }
    const own = new Arriving(body);
    this.#arriving.set(partnerUid, own);
    try {
      return await work(own.bytes);
    } finally {
      own.bytes.destroy();
      if (this.#arriving.get(partnerUid) === own) this.#arriving.delete(partnerUid);
    }
  }

  /** @returns whether there was one, whose place is free now */
  #endSlow(): boolean {
    const found = [...this.#arriving].find(([, { isSlow }]) => isSlow);
    if (!found) return false;
    const [partnerUid, { bytes }] = found;
    bytes.destroy(new Overloaded('The file arrives too slowly while others wait. Nothing was done.', RETRY_AFTER_S));
    return this.#arriving.delete(partnerUid);
  }
}
