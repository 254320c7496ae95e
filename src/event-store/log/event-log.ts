import type { QueryResultRow } from 'pg';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { type EventMetadata, type RecordedEvent, upcast } from './event.js';
import { CarriedTexts, withTexts } from './carried-texts.js';
import { LogContradicted } from './log-contradicted.js';
import type { EventRow } from './leaf.js';
import type { Statement } from './statement.js';

// `data` and `metadata` come as text: the exact bytes that were hashed. Where another event carries them they are null.
export const EVENT_COLUMNS = `partition, position, event_id, stream, version, type, schema_version, time,
  data::text as data, metadata::text as metadata, leaf, ahead`;

/**
 * SQL: what the index of streams has. A transfer made at once is the only event of its stream, and is found by its
 * transaction; whoever looks for streams says this too (docs/adr/0031).
 */
export const IN_STREAM_INDEX = `not (type = 'TransferSettled' and version = 1)`;

/** Where a log ends: at position 0, without an id, while it is empty. */
export type NewestEvent = Pick<EventRow, 'position'> & { readonly id: string | null };

/** An event as stored, with its leaf hash. */
export interface StoredEvent extends EventRow {
  readonly leaf: Buffer;
}

/** @param rows of a statement of `withTexts` @param isWanted absent: all are given */
export function parseEventRows(
  rows: readonly QueryResultRow[],
  isWanted: (row: QueryResultRow) => boolean = () => true,
  texts = new CarriedTexts(rows),
): StoredEvent[] {
  return rows.filter(isWanted).map((row) => parseEventRow(row, texts));
}

function parseEventRow(row: QueryResultRow, texts: CarriedTexts): StoredEvent {
  return {
    partition: row.partition as number,
    position: BigInt(row.position as string),
    id: row.event_id as string,
    stream: row.stream as string,
    version: row.version as number,
    type: row.type as string,
    schemaVersion: row.schema_version as number,
    time: row.time as Date,
    ...texts.of(row),
    leaf: row.leaf as Buffer,
  };
}

/** The event of a stored row: data parsed and upcast to the current schema version. */
export function toRecorded(row: EventRow): RecordedEvent {
  return {
    partition: row.partition,
    position: row.position,
    id: row.id,
    stream: row.stream,
    version: row.version,
    type: row.type,
    time: row.time,
    data: upcast(row.type, row.schemaVersion, JSON.parse(row.data)),
    metadata: JSON.parse(row.metadata) as EventMetadata,
  };
}

/** Events of a partition after a position, oldest first. What stands beyond its head is no part of the log. */
export function eventsAfter(partition: number, position: bigint, limit: number): Statement {
  return {
    name: 'log-events-after',
    text: withTexts(`
      select e.* from log_head h
      cross join lateral (
        select ${EVENT_COLUMNS} from event
        where partition = $1 and position > $2 and position <= h.position
        order by position limit $3) e
      where h.partition = $1`),
    values: [partition, position, limit],
  };
}

/** Reads the log. Pages by key; never holds a snapshot. */
@Injectable()
export class EventLog {
  constructor(private readonly database: Database) {}

  /** Events of a partition after a position, oldest first: for the registry's follower, on a connection of its own. */
  async readAfter(partition: number, position: bigint, limit: number): Promise<RecordedEvent[]> {
    const rows = await this.database.registryQuery(eventsAfter(partition, position, limit));
    return parseEventRows(rows).map(toRecorded);
  }

  /** A partition's newest event: for the registry's follower, as `readAfter`. @throws where it has no head */
  async newestOf(partition: number): Promise<NewestEvent> {
    const [row] = await this.database.registryQuery<{ position: string; event_id: string | null }>({
      name: 'log-newest',
      text: `
        select coalesce(e.position, 0) as position, e.event_id from log_head h
        left join lateral (
          select position, event_id from event
          where partition = $1 and position <= h.position
          order by position desc limit 1) e on true
        where h.partition = $1`,
      values: [partition],
    });
    if (!row) throw new LogContradicted();
    return { position: BigInt(row.position), id: row.event_id };
  }

  /** `count` events of a partition from a position on. */
  async readFrom(partition: number, position: bigint, count: number): Promise<RecordedEvent[]> {
    const rows = await this.database.query(eventsAfter(partition, position - 1n, count));
    return parseEventRows(rows).map(toRecorded);
  }

  /** Events of a stream after a version, oldest first; none of a transfer made at once. */
  async readStream(partition: number, stream: string, after: number, limit: number): Promise<RecordedEvent[]> {
    const rows = await this.database.query({
      name: 'log-stream-after',
      text: withTexts(`
        select ${EVENT_COLUMNS} from event
        where partition = $1 and stream = $2 and version > $3 and ${IN_STREAM_INDEX}
        order by version limit $4`),
      values: [partition, stream, after, limit],
    });
    return parseEventRows(rows).map(toRecorded);
  }

  /** The event of a stream that has an identifier. For background work. */
  async findInStream(partition: number, stream: string, id: string): Promise<RecordedEvent | undefined> {
    const rows = await this.database.backgroundQuery({
      name: 'log-event-in-stream',
      text: withTexts(`
        select ${EVENT_COLUMNS} from event
        where partition = $1 and stream = $2 and event_id = $3 and ${IN_STREAM_INDEX}`),
      values: [partition, stream, id],
    });
    return parseEventRows(rows).map(toRecorded)[0];
  }

  /** The events of several commands, by the position of each one's first, in one read. */
  async readRanges(
    partition: number,
    ranges: readonly { readonly position: bigint; readonly events: number }[],
  ): Promise<ReadonlyMap<bigint, readonly RecordedEvent[]>> {
    const positions = ranges.flatMap(({ position, events }) =>
      Array.from({ length: events }, (_, i) => position + BigInt(i)),
    );
    const rows = await this.database.query({
      name: 'log-events-at',
      text: withTexts(`
        select ${EVENT_COLUMNS} from event
        where partition = $1 and position = any($2::bigint[])`),
      values: [partition, positions],
    });
    const found = new Map(
      parseEventRows(rows)
        .map(toRecorded)
        .map((event) => [event.position, event]),
    );
    return new Map(
      ranges.map(({ position, events }) => [
        position,
        Array.from({ length: events }, (_, i) => found.get(position + BigInt(i))!),
      ]),
    );
  }

  /** The newest events of a stream, oldest first; none of a transfer made at once. */
  async ofStream(partition: number, stream: string, limit: number): Promise<RecordedEvent[]> {
    const rows = await this.database.query({
      name: 'log-events-of-stream',
      text: withTexts(`
        select ${EVENT_COLUMNS} from event
        where partition = $1 and stream = $2 and ${IN_STREAM_INDEX}
        order by version desc limit $3`),
      values: [partition, stream, limit],
    });
    return parseEventRows(rows).map(toRecorded);
  }

  /**
   * `traceparent` of the first event of the first of these streams that exists: the trace of a transaction's later
   * steps. Read only where traces are on.
   */
  async traceOfStreams(partition: number, streams: readonly string[]): Promise<string | undefined> {
    const rows = await this.database.backgroundQuery({
      name: 'log-trace-of-streams',
      text: withTexts(`
        select ${EVENT_COLUMNS} from event
        where partition = $1 and stream = any($2::text[]) and version = 1 and ${IN_STREAM_INDEX}`),
      values: [partition, streams],
    });
    return traceOf(rows);
  }

  /** Position of the newest event of every partition. */
  async heads(): Promise<Map<number, bigint>> {
    const rows = await this.database.query<{ partition: number; position: string }>({
      name: 'log-heads',
      text: 'select partition, position from log_head order by partition',
    });
    return new Map(rows.map((row) => [row.partition, BigInt(row.position)]));
  }

  /** `traceparent` of the event at a position, where it has one. */
  async traceAt(partition: number, position: bigint): Promise<string | undefined> {
    const rows = await this.database.backgroundQuery({
      name: 'log-trace-at',
      text: withTexts(`select ${EVENT_COLUMNS} from event where partition = $1 and position = $2`),
      values: [partition, position],
    });
    return traceOf(rows);
  }

  /**
   * Position of a partition's first event at a time or later. Time never runs backwards within a partition, so a
   * binary search over the log's primary key finds it, without an index by time.
   */
  async firstPositionAt(partition: number, time: Date): Promise<string> {
    const [row] = await this.database.query<{ position: string }>({
      name: 'log-first-position-at',
      text: `
        with recursive search (lo, hi) as (
          select 0::bigint, position + 1 from log_head where partition = $1
          union all
          select case when e.time < $2 then e.position else s.lo end, case when e.time < $2 then s.hi else e.position end
          from search s
          join event e on e.partition = $1 and e.position = (s.lo + s.hi) / 2
          where s.hi - s.lo > 1)
        select hi as position from search order by hi - lo limit 1`,
      values: [partition, time],
    });
    return row!.position;
  }
}

function traceOf(rows: readonly QueryResultRow[]): string | undefined {
  const [event] = parseEventRows(rows);
  return event && (JSON.parse(event.metadata) as EventMetadata).traceparent;
}
