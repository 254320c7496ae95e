import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { EventLog } from '../log/event-log.js';
import type { RecordedEvent } from '../log/event.js';
import { idempotencyProjection } from './idempotency.js';

/** Rows that are looked at: hardly two keys begin alike, but somebody may have made rows. */
const MOST = 8;

/** Finds what commands with an idempotency key appended. */
@Injectable()
export class KeyedCommands {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
  ) {}

  /**
   * @param beginning of the key's mark, hex, of whole bytes
   * @returns events that rows of such keys name: what they are is the caller's to compare
   */
  async eventsOf(partition: number, beginning: string): Promise<readonly RecordedEvent[]> {
    const scanned = await this.database.query(idempotencyProjection.scan(partition, beginning, MOST));
    const rows = scanned.map((row) => idempotencyProjection.parse(row)).filter(({ id }) => id.startsWith(beginning));
    if (rows.length === 0) return [];
    const found = await this.log.readRanges(partition, rows);
    return [...found.values()].flat().filter((event) => event !== undefined);
  }
}
