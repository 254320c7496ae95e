import type { QueryResultRow } from 'pg';
import type { Database } from '../../platform/database/index.js';
import type { Peers } from '../../platform/workers/index.js';
import type { Partitions } from '../log/partitions.js';
import { type Running, SCAN_MS, warm } from './running-work.js';
import type { Room } from './shares.js';
import type { SingleFlight } from './single-flight.js';
import type { WorkPlace, WorkRef } from './work-source.js';

interface DueRow extends QueryResultRow {
  readonly partition: number;
  readonly id: string;
  readonly due_at: Date;
  readonly owner?: string;
  readonly target?: string;
}

export interface DueWork extends WorkRef {
  readonly dueAt: Date;
}

/** Finds due work in two steps: which partitions may have any, and what is due there. */
export class DueSearch {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly peers: Peers,
    private readonly flights: SingleFlight,
  ) {}

  /** Asks each partition separately which sources have due items, all sources of one place in one query. */
  scan(workers: readonly Running[]): void {
    const byPlace = Map.groupBy(workers, ({ worker }) => worker.source.place);
    for (const [place, those] of byPlace) {
      const names = those.map(({ worker }) => worker.source.name);
      for (const partition of (place.partitions ?? this.partitions.all()).filter((one) => this.peers.owns(one))) {
        void this.flights.run(`${names[0]} in ${partition}`, async () => {
          const by = new Date(Date.now() + SCAN_MS);
          const rows = await this.#ask(place, [partition], () =>
            this.database.backgroundQuery<{ source: string }>(place.waiting(partition, names, by)),
          );
          const waiting = new Set(rows.flatMap(([, found]) => found.map(({ source }) => source)));
          for (const running of those) if (waiting.has(running.worker.source.name)) warm(running, partition);
        });
      }
    }
  }

  /** Due items of the partitions that may have any, oldest first. A partition without any for a while is dropped. */
  async dueOf({ worker, items, shares, warm: partitions, owners }: Running): Promise<DueWork[]> {
    const { source } = worker;
    const now = new Date();
    const room = shares.room();
    const found = await this.#ask(
      source.place,
      [...partitions.keys()].filter((one) => this.peers.owns(one)),
      (partition) =>
        this.database.backgroundQuery<DueRow>(source.due(now, naming(room, owners.get(partition)), partition)),
    );
    for (const [partition, rows] of found) {
      owners.set(partition, someOwners(rows, room));
      const isOver = rows.length === 0 && partitions.get(partition)! <= performance.now();
      if (isOver && ![...items.values()].some((item) => item.partition === partition)) partitions.delete(partition);
    }
    return found
      .flatMap(([, rows]) => rows)
      .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
      .map(({ partition, id, due_at: dueAt, owner, target }) =>
        owner === undefined ? { partition, id, dueAt } : { partition, id, dueAt, share: { owner, target: target! } },
      );
  }

  /** A place with partitions of its own is never skipped as unreachable. */
  async #ask<T>(
    place: WorkPlace,
    partitions: readonly number[],
    question: (partition: number) => Promise<T>,
  ): Promise<readonly (readonly [number, T])[]> {
    if (place.partitions) return Promise.all(partitions.map(async (one) => [one, await question(one)] as const));
    const reachable = partitions.filter((partition) => !this.partitions.isUnreachable(partition));
    return reachable.length === 0 ? [] : (await this.partitions.ask(reachable, question)).found;
  }
}

/** Many more than have slots at once. */
const OWNERS_KEPT = 100;

/** Owners that hold slots, of which there may be more when those are free, and some of those that were found. */
function someOwners(rows: readonly DueRow[], { owners }: Room): string[] {
  const kept = new Set(owners.keys());
  for (const { owner } of rows) if (owner !== undefined && kept.size < OWNERS_KEPT) kept.add(owner);
  return [...kept];
}

/** Names owners that hold no slots too: a source looks for what they have behind another's backlog. */
function naming(room: Room, owners: readonly string[] = []): Room {
  return { ...room, owners: new Map([...owners.map((owner) => [owner, room.others] as const), ...room.owners]) };
}
