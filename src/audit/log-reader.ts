import { Injectable } from '@nestjs/common';
import type { StoredEvent } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';

/** An event as it stands, with the part of its time that a leaf does not cover: a writer never makes one. */
export interface ScannedEvent extends StoredEvent {
  readonly timeIsWhole: boolean;
}

interface Row {
  readonly position: string;
  readonly event_id: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly ms: number;
  readonly data: string;
  readonly metadata: string;
  readonly leaf: Buffer;
}

const PAGE = 1_000;

/** Reads long stretches of the log: pages by key, up to a fixed position, the next page on its way while one is looked at. */
@Injectable()
export class LogReader {
  constructor(private readonly database: Database) {}

  /** Events after `after` up to and including `to`, oldest first, in pages. */
  async *pages(partition: number, after: bigint, to: bigint): AsyncGenerator<ScannedEvent[], void, undefined> {
    let next: Promise<Row[]> | undefined = this.#page(partition, after, to);
    while (next) {
      const rows: Row[] = await next;
      next = rows.length === PAGE ? this.#page(partition, BigInt(rows.at(-1)!.position), to) : undefined;
      // Whoever stops early must not leave a failure unheard.
      next?.catch(() => undefined);
      if (rows.length > 0) yield rows.map((row) => toScanned(partition, row));
    }
  }

  #page(partition: number, after: bigint, to: bigint): Promise<Row[]> {
    return this.database.backgroundQuery<Row>({
      name: 'log-page',
      text: `
        select position, event_id, stream, version, type, schema_version,
          (extract(epoch from time) * 1000)::float8 as ms, data::text as data, metadata::text as metadata, leaf
        from event
        where partition = $1 and position > $2 and position <= $3
        order by position limit ${PAGE}`,
      values: [partition, after, to],
    });
  }
}

function toScanned(partition: number, row: Row): ScannedEvent {
  return {
    partition,
    position: BigInt(row.position),
    id: row.event_id,
    stream: row.stream,
    version: row.version,
    type: row.type,
    schemaVersion: row.schema_version,
    time: new Date(Math.floor(row.ms)),
    data: row.data,
    metadata: row.metadata,
    leaf: row.leaf,
    timeIsWhole: Number.isInteger(row.ms),
  };
}
