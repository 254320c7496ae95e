import { Injectable } from '@nestjs/common';
import type { RecordedEvent } from './event.js';

/**
 * Events of a partition that are kept at least; followers that lag more read the log. Half a second of requests of
 * many.
 */
const REMEMBERED = 3_000;

/**
 * The newest events that this process appended, by partition: its followers need not read and parse them again. An
 * event is kept once its commit was acknowledged, so the log has it too, until that is put back.
 */
@Injectable()
export class RecentEvents {
  readonly #events = new Map<number, RecordedEvent[]>();

  /** @param events of one batch, at least one, in the order of the log */
  append(partition: number, events: readonly RecordedEvent[]): void {
    const known = this.#events.get(partition) ?? [];
    // A gap where another process wrote in between: the events before it are of no more use.
    const follows = known.at(-1)?.position === events[0]!.position - 1n;
    if (!follows || known.length >= 2 * REMEMBERED) known.splice(0, follows ? REMEMBERED : known.length);
    known.push(...events);
    this.#events.set(partition, known);
  }

  /** The log was put back, and some of a partition's are gone: others may take their places, as many as they were. */
  forget(partition: number): void {
    this.#events.delete(partition);
  }

  /** @returns the events after a position, `limit` of them at most; none where the first is not kept */
  after(partition: number, position: bigint, limit: number): readonly RecordedEvent[] {
    const known = this.#events.get(partition) ?? [];
    const [oldest] = known;
    if (!oldest || position + 1n < oldest.position) return [];
    const first = Number(position + 1n - oldest.position);
    return known.slice(first, first + limit);
  }

  /** Position of the newest event of the partition that is kept. */
  newest(partition: number): bigint | undefined {
    return this.#events.get(partition)?.at(-1)?.position;
  }
}
