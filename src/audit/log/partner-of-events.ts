import { Injectable } from '@nestjs/common';
import { type EventMetadata, type StoredEvent, SubjectForgotten } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';

const MOST_STREAMS = 10_000;
const PARTNER_STREAM = 'partner-';

type Event = Pick<StoredEvent, 'stream' | 'type' | 'data' | 'metadata'>;

/**
 * Finds the partner of an event. An event names its partner, or is in the partner's own stream, or in a stream whose
 * first event names the partner or one of its transactions. Events of operators and auditors have none: `null`.
 */
@Injectable()
export class PartnerOfEvents {
  readonly #streams = new Map<string, string | null>();

  constructor(private readonly database: Database) {}

  /** The partners of events of one partition, in their order, with one read at most. */
  async of(partition: number, events: readonly Event[]): Promise<(string | null)[]> {
    const named = events.map(namedBy);
    const unknown = new Set(
      events.filter(({ stream }, i) => named[i] === null && !this.#streams.has(stream)).map(({ stream }) => stream),
    );
    if (unknown.size > 0) await this.#load(partition, [...unknown]);
    return events.map(({ stream }, i) => named[i] ?? this.#streams.get(stream) ?? null);
  }

  async #load(partition: number, streams: readonly string[]): Promise<void> {
    if (this.#streams.size + streams.length > MOST_STREAMS) this.#streams.clear();
    const firsts = await this.database.query<Event & { partner: string | null } & Record<string, unknown>>({
      name: 'audit-stream-firsts',
      text: `
        select e.stream, e.type, e.data::text as data, e.metadata::text as metadata, a.partner_uid as partner
        from event e
        left join transaction t on t.partition = $1 and t.id = (e.data ->> 'transactionId')::uuid
        left join account a on a.partition = $1 and a.uid = t.account_uid
        where e.partition = $1 and e.stream = any($2::text[]) and e.version = 1`,
      values: [partition, streams],
    });
    for (const stream of streams) this.#streams.set(stream, null);
    for (const { partner, ...first } of firsts) this.#streams.set(first.stream, namedBy(first) ?? partner);
  }
}

function namedBy({ stream, type, data, metadata }: Event): string | null {
  if (stream.startsWith(PARTNER_STREAM)) return stream.slice(PARTNER_STREAM.length);
  const { partnerUid } = JSON.parse(data) as { partnerUid?: unknown };
  if (typeof partnerUid === 'string') return partnerUid;
  // Older events have it in their metadata only.
  return type === SubjectForgotten.type ? ((JSON.parse(metadata) as EventMetadata).correlation ?? null) : null;
}
