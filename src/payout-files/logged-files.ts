import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EventLog, partitionOf } from '../event-store/index.js';
import { evolveFile, type PayoutFile, streamOfFile } from './domain/payout-file.js';
import { PROGRESS } from './payout-file.projection.js';
import { PayoutFileRows } from './payout-file-rows.js';

/** An event has the outcomes of 200 lines. */
const PAGE = 50;
const REMEMBERED = 100;

/**
 * Files as their own events make them: from where one goes on, and whether it does, is taken from here. The password of
 * the service's role is enough to change a row, and what followed from it would be history.
 */
@Injectable()
export class LoggedFiles {
  /** A file has hundreds of events: those that were read once are not read again. */
  readonly #known = new LRUCache<string, PayoutFile>({ max: REMEMBERED });

  constructor(
    private readonly log: EventLog,
    private readonly rows: PayoutFileRows,
  ) {}

  /** @throws where its row tells another progress, or its events contradict one another: nothing of it may be done */
  async find(id: string): Promise<PayoutFile> {
    const row = await this.rows.find(id);
    if (!row) throw new TypeError(`payout file ${id} was never accepted`);
    const file = await this.#upTo(row);
    const differs = PROGRESS.find((member) => !isDeepStrictEqual(file?.[member], row[member]));
    if (!file || differs) throw new Error(`payout file ${id}: its row has another ${differs} than its events make`);
    this.#known.set(id, file);
    return file;
  }

  /** After the events that the row is made of: later ones may have come meanwhile. */
  async #upTo({ id, version }: PayoutFile): Promise<PayoutFile | undefined> {
    let file = this.#known.get(id);
    for (let at = file?.version ?? 0; at < version; at += PAGE) {
      const count = Math.min(PAGE, version - at);
      const events = await this.log.readStream(partitionOf(id)!, streamOfFile(id), at, count);
      if (events.length < count) break;
      file = events.reduce(evolveFile, file)!;
    }
    return file;
  }
}
