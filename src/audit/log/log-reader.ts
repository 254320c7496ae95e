import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { logPages, type ScannedEvent } from './log-pages.js';

export type { ScannedEvent } from './log-pages.js';

/** Scans the log, up to a fixed position. */
@Injectable()
export class LogReader {
  constructor(private readonly database: Database) {}

  /** Events after `after` up to and including `to`, oldest first, in pages. */
  pages(partition: number, after: bigint, to: bigint): AsyncGenerator<ScannedEvent[], void, undefined> {
    return logPages(this.database, partition, after, to);
  }
}
