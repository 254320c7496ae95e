import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Overloaded, TooManyRequests } from '../../../platform/errors/index.js';
import { isTooSlow, Places, type UnderWay } from '../../../platform/http/index.js';
import { readAhead } from '../../reading/read-ahead.js';

/** Files that a process reads at a time: each costs it a part of a core for some seconds, and what is read ahead. */
const MOST = 4;
const RETRY_AFTER_S = 5;

/** A file while it arrives. */
class Arriving implements UnderWay {
  readonly bytes: Readable;
  readonly #since = performance.now();
  #arrived = 0;

  /** @param release gives its place back */
  constructor(
    private readonly body: Readable,
    readonly release: () => void,
  ) {
    this.bytes = readAhead(body);
    body.on('data', (piece: Buffer) => (this.#arrived += piece.length));
  }

  get isSlow(): boolean {
    return !this.body.readableEnded && isTooSlow(this.#arrived, performance.now() - this.#since);
  }

  giveWay(): void {
    this.bytes.destroy(
      new Overloaded('The file arrives too slowly while others wait. Nothing was done.', RETRY_AFTER_S),
    );
  }
}

/** Files that arrive: one of a partner at a time, so that a partner with many connections has no more than others. */
@Injectable()
export class Uploads {
  readonly #places = new Places<Arriving>(MOST, {
    second: () => new TooManyRequests('Another file of yours is arriving. Nothing was done.', RETRY_AFTER_S),
    full: () => new Overloaded('Too many files are arriving. Nothing was done.', RETRY_AFTER_S),
  });

  /**
   * @param body of the request
   * @param work gets what is read ahead of it
   * @throws TooManyRequests for a partner's second file; Overloaded when too many arrive, or it does so too slowly
   */
  async run<T>(partnerUid: string, body: Readable, work: (bytes: Readable) => Promise<T>): Promise<T> {
    const own = this.#places.take(partnerUid, (release) => new Arriving(body, release));
    try {
      return await work(own.bytes);
    } finally {
      own.bytes.destroy();
      own.release();
    }
  }
}
