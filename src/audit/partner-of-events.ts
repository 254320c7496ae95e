import { Injectable } from '@nestjs/common';
import type { StoredEvent } from '../event-store/index.js';
import { Database } from '../platform/database/index.js';

const MOST_STREAMS = 10_000;
const PARTNER_STREAM = 'partner-';

/**
 * Says whose an event is. An event names its partner, or is in the partner's own stream, or in a stream whose first
 * event names it. What belongs to no partner (operators' and auditors' matters) gives `null`.
 */
@Injectable()
export class PartnerOfEvents {
  readonly #streams = new Map<string, string | null>();

  constructor(private readonly database: Database) {}

  /** The partners of events of one partition, in their order. One read at most. */
  async of(partition: number, events: readonly Pick<StoredEvent, 'stream' | 'data'>[]): Promise<(string | null)[]> {
    const named = events.map(({ stream, data }) => namedBy(stream, data));
    const unknown = new Set(
      events.filter(({ stream }, i) => named[i] === null && !this.#streams.has(stream)).map(({ stream }) => stream),
    );
    if (unknown.size > 0) await this.#load(partition, [...unknown]);
    return events.map(({ stream }, i) => named[i] ?? this.#streams.get(stream) ?? null);
  }

  async #load(partition: number, streams: readonly string[]): Promise<void> {
    if (this.#streams.size + streams.length > MOST_STREAMS) this.#streams.clear();
    const firsts = await this.database.query<{ stream: string; data: string }>({
      name: 'audit-stream-firsts',
      text: `
        select stream, data::text as data from event
        where partition = $1 and stream = any($2::text[]) and version = 1`,
      values: [partition, streams],
    });
    for (const stream of streams) this.#streams.set(stream, null);
    for (const { stream, data } of firsts) this.#streams.set(stream, namedBy(stream, data));
  }
}

function namedBy(stream: string, data: string): string | null {
  if (stream.startsWith(PARTNER_STREAM)) return stream.slice(PARTNER_STREAM.length);
  const { partnerUid } = JSON.parse(data) as { partnerUid?: unknown };
  return typeof partnerUid === 'string' ? partnerUid : null;
}
