import { Injectable } from '@nestjs/common';
import { Overloaded, TooManyRequests } from '../../../platform/errors/index.js';

/** Files that a process reads at a time: each costs it a part of a core for some seconds, and what is read ahead. */
const MOST = 4;
const RETRY_AFTER_S = 5;

/** Files that arrive: one of a partner at a time, so that a partner with many connections has no more than others. */
@Injectable()
export class Uploads {
  readonly #partners = new Set<string>();

  /** @throws TooManyRequests for a partner's second file, Overloaded when too many arrive */
  async run<T>(partnerUid: string, work: () => Promise<T>): Promise<T> {
    if (this.#partners.has(partnerUid)) {
      throw new TooManyRequests('Another file of yours is arriving. Nothing was done.', RETRY_AFTER_S);
    }
    if (this.#partners.size >= MOST)
      throw new Overloaded('Too many files are arriving. Nothing was done.', RETRY_AFTER_S);
    this.#partners.add(partnerUid);
    try {
      return await work();
    } finally {
      this.#partners.delete(partnerUid);
    }
  }
}
