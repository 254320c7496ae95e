import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { QueryResultRow } from 'pg';
import { Coalesced, Database } from '../../platform/database/index.js';
import { carrierOf, CarriedTexts, unpackTexts } from './carried-texts.js';
import type { RecordedEvent } from './event.js';
import { foldStream } from './fold-stream.js';
import { EVENT_COLUMNS, IN_STREAM_INDEX, parseEventRows, toRecorded } from './event-log.js';
import { LogContradicted } from './log-contradicted.js';
import type { Statement } from './statement.js';

/** A stream with an event beyond the head. It fails by itself: others share its statement. */
const CONTRADICTED = 'contradicted';
type Found = readonly RecordedEvent[] | typeof CONTRADICTED;

/** What the events of a stream make, and the position of the last of them. */
export interface Folded<State> {
  readonly state: State;
  readonly upTo: bigint;
}

/** Of some ten commits of 640 payouts. */
const REMEMBERED_CHARACTERS = 8 * 1024 * 1024;

/**
 * All events of streams, and those at positions, without the texts that other events carry. Those beyond the head are
 * told and not left out: a head that is set back for a moment must not hide that a key was disabled.
 */
export function eventsOfStreams(
  partition: number,
  streams: readonly string[],
  positions: readonly bigint[] = [],
): Statement {
  return {
    name: 'log-events-of-streams',
    text: `
      select e.*, coalesce(e.position > h.position, true) as beyond
      from (
        select ${EVENT_COLUMNS} from event
        where partition = $1 and stream = any($2::text[]) and ${IN_STREAM_INDEX}
        union all
        select ${EVENT_COLUMNS} from event
        where partition = $1 and position = any($3::bigint[])) e
      left join log_head h on h.partition = $1
      order by e.position`,
    values: [partition, streams, positions],
  };
}

/**
 * Reads of whole streams that have few events, such as a payout's before it is sent. Streams that are asked for while
 * others are being read share one statement. Carried texts are read and unpacked once for all payouts that are
 * sent soon after each other, and not for each.
 */
@Injectable()
export class WholeStreams {
  readonly #reads = new Map<number, Coalesced<string, Found>>();
  /**
   * By partition, position of the event that carries them, and their time: a database that was put back uses positions
   * anew.
   */
  readonly #carried = new LRUCache<string, readonly string[]>({
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: (lines) => lines.reduce((sum, line) => sum + line.length, 1),
  });

  constructor(private readonly database: Database) {}

  /**
   * Oldest first; none of a transfer made at once.
   * @param partition `undefined` for the stream of an id that is none of ours: it has no events
   * @throws LogContradicted where one of them is beyond the head
   */
  async read(partition: number | undefined, stream: string): Promise<readonly RecordedEvent[]> {
    if (partition === undefined) return [];
    let reads = this.#reads.get(partition);
    if (!reads) this.#reads.set(partition, (reads = new Coalesced((all) => this.#readAll(partition, all))));
    const events = await reads.run(stream);
    if (events === CONTRADICTED) throw new LogContradicted();
    return events;
  }

  /**
   * What the events of its stream, `<what>-<id>`, make of something; `undefined` where there are none.
   * @param partition as in `read`
   * @throws as `foldStream`, and as `read`
   */
  async fold<State>(
    partition: number | undefined,
    own: { readonly what: string; readonly id: string },
    evolve: (state: State | undefined, event: RecordedEvent) => State,
  ): Promise<State | undefined> {
    return (await this.foldUpTo(partition, own, evolve))?.state;
  }

  /** The same for who remembers it: only as long as the log has that event. */
  async foldUpTo<State>(
    partition: number | undefined,
    own: { readonly what: string; readonly id: string },
    evolve: (state: State | undefined, event: RecordedEvent) => State,
  ): Promise<Folded<State> | undefined> {
    const events = await this.read(partition, `${own.what}-${own.id}`);
    const last = events.at(-1);
    return last && { state: foldStream(own, events, evolve), upTo: last.position };
  }

  /**
   * Many streams, and single events at positions, in one read: by the position of each event, oldest first. Of a stream
   * with an event beyond the head there is none.
   */
  async readMany(
    partition: number,
    streams: readonly string[],
    positions: readonly bigint[],
  ): Promise<ReadonlyMap<bigint, RecordedEvent>> {
    const { events } = await this.#find(partition, streams, positions);
    return new Map(events.map((event) => [event.position, event]));
  }

  async #readAll(partition: number, streams: readonly string[]): Promise<Found[]> {
    const { events, contradicted } = await this.#find(partition, streams);
    const found = Map.groupBy(events, ({ stream }) => stream);
    return streams.map((stream) => (contradicted.has(stream) ? CONTRADICTED : (found.get(stream) ?? [])));
  }

  async #find(partition: number, streams: readonly string[], positions?: readonly bigint[]) {
    const rows = await this.database.lookUp(eventsOfStreams(partition, [...new Set(streams)], positions));
    const texts = new CarriedTexts([], await this.#textsFor(partition, rows));
    const contradicted = new Set(rows.filter(({ beyond }) => beyond).map(({ stream }) => stream as string));
    const events = parseEventRows(rows, ({ stream }) => !contradicted.has(stream as string), texts).map(toRecorded);
    return { events, contradicted };
  }

  async #textsFor(partition: number, rows: readonly QueryResultRow[]): Promise<Map<string, readonly string[]>> {
    const carried = rows.filter(({ ahead }) => ahead !== null);
    const keys = new Map(carried.map((row) => [carrierOf(row), `${partition}/${carrierOf(row)}/${Number(row.time)}`]));
    const found = new Map<string, readonly string[]>();
    for (const [position, key] of keys) {
      const lines = this.#carried.get(key);
      if (lines) found.set(position, lines);
    }
    const missing = [...keys.keys()].filter((position) => !found.has(position));
    if (missing.length === 0) return found;
    const carrying = await this.database.lookUp<{ position: string; texts: Buffer | null }>({
      name: 'log-carried-texts',
      text: 'select position, texts from event where partition = $1 and position = any($2::bigint[])',
      values: [partition, missing],
    });
    for (const { position, texts } of carrying) {
      const lines = texts ? unpackTexts(texts) : [];
      found.set(position, lines);
      // What was damaged may be put right.
      if (lines.length > 0) this.#carried.set(keys.get(position)!, lines);
    }
    return found;
  }
}
