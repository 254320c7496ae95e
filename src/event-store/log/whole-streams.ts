import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { QueryResultRow } from 'pg';
import { Coalesced, Database } from '../../platform/database/index.js';
import { carrierOf, CarriedTexts, unpackTexts } from './carried-texts.js';
import type { RecordedEvent } from './event.js';
import { foldStream } from './fold-stream.js';
import { EVENT_COLUMNS, IN_STREAM_INDEX, parseEventRows, toRecorded } from './event-log.js';
import type { Statement } from './statement.js';

/** Of some ten commits of 640 payouts. */
const REMEMBERED_CHARACTERS = 8 * 1024 * 1024;

/** All events of streams, without the texts that other events carry. */
export function eventsOfStreams(partition: number, streams: readonly string[]): Statement {
  return {
    name: 'log-events-of-streams',
    text: `
      select ${EVENT_COLUMNS} from event
      where partition = $1 and stream = any($2::text[]) and ${IN_STREAM_INDEX}
      order by position`,
    values: [partition, streams],
  };
}

/**
 * Reads of whole streams that have few events, such as a payout's before it is sent. Streams that are asked for while
 * others are being read share one statement. The texts of a commit are read and unpacked once for all of its payouts
 * that are sent soon after each other, and not for each.
 */
@Injectable()
export class WholeStreams {
  readonly #reads = new Map<number, Coalesced<string, readonly RecordedEvent[]>>();
  /** By partition and position of the event that carries them. */
  readonly #carried = new LRUCache<string, readonly string[]>({
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: (lines) => lines.reduce((sum, line) => sum + line.length, 1),
  });

  constructor(private readonly database: Database) {}

  /** Oldest first; none of a transfer made at once. */
  read(partition: number, stream: string): Promise<readonly RecordedEvent[]> {
    let reads = this.#reads.get(partition);
    if (!reads) this.#reads.set(partition, (reads = new Coalesced((all) => this.#readAll(partition, all))));
    return reads.run(stream);
  }

  /**
   * What the events of its stream, `<what>-<id>`, make of something; `undefined` where there are none.
   * @throws as `foldStream`
   */
  async fold<State>(
    partition: number,
    own: { readonly what: string; readonly id: string },
    evolve: (state: State | undefined, event: RecordedEvent) => State,
  ): Promise<State | undefined> {
    const events = await this.read(partition, `${own.what}-${own.id}`);
    return events.length === 0 ? undefined : foldStream(own, events, evolve);
  }

  async #readAll(partition: number, streams: readonly string[]): Promise<(readonly RecordedEvent[])[]> {
    const rows = await this.database.lookUp(eventsOfStreams(partition, [...new Set(streams)]));
    const texts = new CarriedTexts([], await this.#textsFor(partition, rows));
    const events = parseEventRows(rows, undefined, texts).map(toRecorded);
    const found = Map.groupBy(events, ({ stream }) => stream);
    return streams.map((stream) => found.get(stream) ?? []);
  }

  async #textsFor(partition: number, rows: readonly QueryResultRow[]): Promise<Map<string, readonly string[]>> {
    const carriers = new Set(rows.filter(({ ahead }) => ahead !== null).map(carrierOf));
    const found = new Map<string, readonly string[]>();
    for (const position of carriers) {
      const lines = this.#carried.get(`${partition}/${position}`);
      if (lines) found.set(position, lines);
    }
    const missing = [...carriers].filter((position) => !found.has(position));
    if (missing.length === 0) return found;
    const carrying = await this.database.lookUp<{ position: string; texts: Buffer | null }>({
      name: 'log-carried-texts',
      text: 'select position, texts from event where partition = $1 and position = any($2::bigint[])',
      values: [partition, missing],
    });
    for (const { position, texts } of carrying) {
      const lines = texts ? unpackTexts(texts) : [];
      found.set(position, lines);
      this.#carried.set(`${partition}/${position}`, lines);
    }
    return found;
  }
}
