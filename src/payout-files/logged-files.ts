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

interface Known {
  readonly file: PayoutFile;
  /** Of the event that its version is of. */
  readonly eventId: string;
}

/**
 * Files as their own events make them: from where one goes on, and whether it does, is taken from here. The password of
 * the service's role is enough to change a row, and what followed from it would be history.
 */
@Injectable()
export class LoggedFiles {
  /** A file has hundreds of events: those that were read once are not read again. */
  readonly #known = new LRUCache<string, Known>({ max: REMEMBERED });

  constructor(
    private readonly log: EventLog,
    private readonly rows: PayoutFileRows,
  ) {}

  /** @throws where its row tells another progress, or its events contradict one another: nothing of it may be done */
  async find(id: string): Promise<PayoutFile> {
    for (let reads = 1; ; reads++) {
      const row = await this.rows.find(id);
      if (!row) throw new TypeError(`payout file ${id} was never accepted`);
      const { known, isBehind } = await this.#upTo(row);
      // What came after the row was read is in it by now, unless the row was set back: to before a cancellation.
      if (isBehind && reads < READS) continue;
      const file = known?.file;
      const differs = isBehind ? 'version' : PROGRESS.find((member) => !isDeepStrictEqual(file?.[member], row[member]));
      if (!file || differs) throw new Error(`payout file ${id}: its row has another ${differs} than its events make`);
      this.#known.set(id, known);
      return file;
    }
  }

  /**
   * After the events that the row is made of, and whether there are more of them. It goes on from what was read before,
   * where the log still has that: a standby that lagged, or a restore, may have taken it away.
   */
  async #upTo({ id, version }: PayoutFile): Promise<{ known: Known | undefined; isBehind: boolean }> {
    let known = this.#known.get(id);
    for (;;) {
      const at = known?.file.version ?? 0;
      const count = Math.min(PAGE, Math.max(version - at, 0));
      const again = known ? 1 : 0;
      const read = await this.log.readStream(partitionOf(id)!, streamOfFile(id), at - again, again + count + 1);
      if (known && read[0]?.id !== known.eventId) {
        known = undefined;
        continue;
      }
      const events = read.slice(again);
      if (events.length < count) return { known, isBehind: false };
      for (const event of events.slice(0, count)) known = { file: evolveFile(known?.file, event), eventId: event.id };
      if (at + count >= version) return { known, isBehind: events.length > count };
    }
  }
}
