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
/** Of a row that is behind its events: others may have appended some since it was read. */
const READS = 3;

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
    for (let reads = 1; ; reads++) {
      const row = await this.rows.find(id);
      if (!row) throw new TypeError(`payout file ${id} was never accepted`);
      const { file, isBehind } = await this.#upTo(row);
      // What came after the row was read is in it by now, unless the row was set back: to before a cancellation.
      if (isBehind && reads < READS) continue;
      const differs = isBehind ? 'version' : PROGRESS.find((member) => !isDeepStrictEqual(file?.[member], row[member]));
      if (!file || differs) throw new Error(`payout file ${id}: its row has another ${differs} than its events make`);
      this.#known.set(id, file);
      return file;
    }
  }

  /** After the events that the row is made of, and whether there are more of them. */
  async #upTo({ id, version }: PayoutFile): Promise<{ file: PayoutFile | undefined; isBehind: boolean }> {
    let file = this.#known.get(id);
    for (;;) {
      const at = file?.version ?? 0;
      const count = Math.min(PAGE, Math.max(version - at, 0));
      const events = await this.log.readStream(partitionOf(id)!, streamOfFile(id), at, count + 1);
      if (events.length < count) return { file, isBehind: false };
      file = events.slice(0, count).reduce(evolveFile, file);
      if (at + count >= version) return { file, isBehind: events.length > count };
    }
  }
}
