import { Injectable } from '@nestjs/common';
import {
  EVENT_COLUMNS,
  type EventMetadata,
  IN_STREAM_INDEX,
  parseEventRows,
  type StoredEvent,
  SubjectForgotten,
  withTexts,
} from '../../event-store/index.js';
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
    const streams = new Set(events.filter((_event, i) => named[i] === null).map(({ stream }) => stream));
    const partners = await this.#ofStreams(partition, [...streams]);
    return events.map(({ stream }, i) => named[i] ?? partners.get(stream) ?? null);
  }

  /** What is remembered may be given up meanwhile: what was known of these streams is kept apart. */
  async #ofStreams(partition: number, streams: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const known = new Map<string, string | null>();
    for (const one of streams) if (this.#streams.has(one)) known.set(one, this.#streams.get(one) ?? null);
    const unknown = streams.filter((one) => !known.has(one));
    if (unknown.length === 0) return known;
    const read = await this.#read(partition, unknown);
    if (this.#streams.size + read.size > MOST_STREAMS) this.#streams.clear();
    for (const [stream, partner] of read) this.#streams.set(stream, partner);
    return new Map([...known, ...read]);
  }

  async #read(partition: number, streams: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const rows = await this.database.query({
      name: 'audit-stream-firsts',
      text: withTexts(`
        select ${EVENT_COLUMNS} from event
        where partition = $1 and stream = any($2::text[]) and version = 1 and ${IN_STREAM_INDEX}`),
      values: [partition, streams],
    });
    const firsts = parseEventRows(rows);
    const partners = await this.#ofTransactions(partition, firsts.flatMap(transactionNamedBy));
    const found = new Map<string, string | null>(streams.map((stream) => [stream, null]));
    for (const first of firsts) {
      const [transaction] = transactionNamedBy(first);
      found.set(first.stream, namedBy(first) ?? partners.get(transaction ?? '') ?? null);
    }
    return found;
  }

  async #ofTransactions(partition: number, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; partner: string }>({
      name: 'audit-partners-of-transactions',
      text: `
        select t.id, a.partner_uid as partner
        from transaction t join account a on a.partition = $1 and a.uid = t.account_uid
        where t.partition = $1 and t.id = any($2::uuid[])`,
      values: [partition, ids],
    });
    return new Map(rows.map(({ id, partner }) => [id, partner]));
  }
}

function transactionNamedBy({ data }: Event): string[] {
  const { transactionId } = JSON.parse(data) as { transactionId?: unknown };
  return typeof transactionId === 'string' ? [transactionId] : [];
}

function namedBy({ stream, type, data, metadata }: Event): string | null {
  if (stream.startsWith(PARTNER_STREAM)) return stream.slice(PARTNER_STREAM.length);
  const { partnerUid } = JSON.parse(data) as { partnerUid?: unknown };
  if (typeof partnerUid === 'string') return partnerUid;
  // Older events have it in their metadata only.
  return type === SubjectForgotten.type ? ((JSON.parse(metadata) as EventMetadata).correlation ?? null) : null;
}
