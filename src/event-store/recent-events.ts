import { Injectable } from '@nestjs/common';
import type { RecordedEvent } from './event.js';

/** Events of a partition that are remembered at least; followers that are further behind read the log. */
const REMEMBERED = 1_000;

/**
 * The newest events that this process appended, by partition: its followers need not read and parse again what was just
 * written. An event is remembered once its commit was acknowledged, so whoever is given it could have read it.
 */
@Injectable()
export class RecentEvents {
  readonly #events = new Map<number, RecordedEvent[]>();

  /** @param events of one batch, at least one, in the order of the log */
  append(partition: number, events: readonly RecordedEvent[]): void {
    const known = this.#events.get(partition) ?? [];
    // Where another process wrote in between, there is a gap: what was before it is of no more use.
    const follows = known.at(-1)?.position === events[0]!.position - 1n;
    if (!follows || known.length >= 2 * REMEMBERED) known.splice(0, follows ? REMEMBERED : known.length);
    known.push(...events);
    this.#events.set(partition, known);
  }

  /** @returns the events after a position, as far as `last`, or as they are known; none where the first is not */
  between(partition: number, after: bigint, last: bigint): readonly RecordedEvent[] {
    const known = this.#events.get(partition) ?? [];
    const [oldest] = known;
    if (!oldest || after + 1n < oldest.position) return [];
    return known.slice(Number(after + 1n - oldest.position), Number(last + 1n - oldest.position));
  }

  /** Whether any event of the partition is remembered. */
  has(partition: number): boolean {
    return this.#events.has(partition);
  }
}
