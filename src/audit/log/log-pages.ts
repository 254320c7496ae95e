import { CarriedTexts, withTexts } from '../../event-store/log/carried-texts.js';
import type { StoredEvent } from '../../event-store/log/event-log.js';
import type { Database } from '../../platform/database/index.js';

/** A stored event. A leaf covers whole milliseconds: the service never writes a fraction of one. */
export interface ScannedEvent extends StoredEvent {
  readonly timeIsWhole: boolean;
}

interface Row extends Record<string, unknown> {
  readonly position: string;
  readonly event_id: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schema_version: number;
  readonly seconds: number;
  readonly data: string | null;
  readonly metadata: string | null;
  /** `null` where somebody dropped the constraint. */
  readonly leaf: Buffer | null;
  readonly ahead: number | null;
  readonly texts: Buffer | null;
}

const PAGE = 1_000;
const NO_LEAF = Buffer.alloc(0);

/**
 * Events after `after` up to and including `to`, oldest first, in pages by key; the next page is prefetched. It is
 * separate from `LogReader`, so that a thread can read the log without the application.
 */
export async function* logPages(
  database: Database,
  partition: number,
  after: bigint,
  to: bigint,
): AsyncGenerator<ScannedEvent[], void, undefined> {
  let next: Promise<Row[]> | undefined = readPage(database, partition, after, to);
  while (next) {
    const rows: Row[] = await next;
    next = rows.length === PAGE ? readPage(database, partition, BigInt(rows.at(-1)!.position), to) : undefined;
    // A caller that stops early must not leave an unhandled rejection.
    next?.catch(() => undefined);
    const texts = new CarriedTexts(rows);
    if (rows.length > 0) yield rows.map((row) => toScanned(partition, row, texts));
  }
}

function readPage(database: Database, partition: number, after: bigint, to: bigint): Promise<Row[]> {
  return database.backgroundQuery<Row>({
    name: 'log-page',
    text: withTexts(`
      select partition, position, event_id, stream, version, type, schema_version, date_part('epoch', time) as seconds,
        data::text as data, metadata::text as metadata, leaf, ahead
      from event
      where partition = $1 and position > $2 and position <= $3
      order by position limit ${PAGE}`),
    values: [partition, after, to],
  });
}

function toScanned(partition: number, row: Row, texts: CarriedTexts): ScannedEvent {
  // A double represents seconds of today to a quarter of a microsecond.
  const microseconds = Math.round(row.seconds * 1e6);
  return {
    partition,
    position: BigInt(row.position),
    id: row.event_id,
    stream: row.stream,
    version: row.version,
    type: row.type,
    schemaVersion: row.schema_version,
    time: new Date(Math.floor(microseconds / 1000)),
    ...texts.of(row),
    leaf: row.leaf ?? NO_LEAF,
    timeIsWhole: microseconds % 1000 === 0,
  };
}
