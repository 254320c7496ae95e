import type { PoolClient } from 'pg';
import { Injectable } from '@nestjs/common';
import { Coalesced, Database } from '../../platform/database/index.js';
import type { Worker } from './work-source.js';
import type { RecordedEvent } from '../log/event.js';
import type { Statement } from '../log/statement.js';
import { BY_TIME } from './due-statements.js';
import { type Refusals, refusedSince } from './refusals.js';
import type { WorkItem } from './work-item.js';
import { lockedInOrder } from './leased-rows.js';
import { type DueOrder, workSource } from './work-rows.js';

/** Rows that one statement brings forward. */
const BROUGHT_FORWARD = 1_000;

export interface NewWork {
  /** Derived from the causing event, so that writing it twice makes one item. */
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly payload: unknown;
  readonly dueAt: Date;
}

/**
 * How owners share a worker's slots, by the owner that the payload of an item names (`partnerUid`).
 * - `Shared`: owners ask for it, many at once. Every item names its owner, and requests go before it.
 * - `AtTheirTime`: as `Shared`, but most items are due long after they were written.
 * - `InParts`: as `AtTheirTime`, but requests do not go before it, and not all items name their owner.
 * - `InTurns`: a process does one at a time, owners in turns. Every item names its owner.
 */
export type Sharing = 'Shared' | 'AtTheirTime' | 'InParts' | 'InTurns';

const DUE_ORDER: Readonly<Record<Sharing, DueOrder>> = {
  Shared: 'ByOwner',
  AtTheirTime: 'InParts',
  InParts: 'InParts',
  InTurns: 'ByOwner',
};

/**
 * The result of an attempt: done, or to be retried at a time, with another payload where one is given. A time more than
 * a day ahead is one that an event gives (`Intention.dueAt`): `verify` reports any other.
 */
export type WorkResult =
  | 'done'
  | {
      readonly retryAt: Date;
      readonly payload?: unknown;
      /** Given where the attempt was refused, this refusal included; whoever makes the next one learns of it. */
      readonly refusals?: Refusals;
    };

/** When work that an event begins at once is due: after a clock was set back, the log's time is ahead of it. */
export function dueAtOnce({ time }: RecordedEvent, now: Date): Date {
  return time < now ? time : now;
}

/** Adds work items beside a follower's checkpoint, in its transaction. */
export async function addWork(client: PoolClient, partition: number, work: readonly NewWork[]): Promise<void> {
  if (work.length === 0) return;
  await client.query({
    name: 'work-add',
    text: `
      insert into work (partition, id, kind, subject, payload, due_at)
      select $1, n.id, n.kind, n.subject, n.payload::json, n.due_at
      from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[]) as n (id, kind, subject, payload, due_at)
      on conflict (partition, id) do nothing`,
    values: [
      partition,
      work.map((one) => one.id),
      work.map((one) => one.kind),
      work.map((one) => one.subject),
      work.map((one) => JSON.stringify(one.payload)),
      work.map((one) => one.dueAt),
    ],
  });
}

/**
 * Adds the work that events began and did not end themselves, and removes what they ended, in a follower's transaction:
 * timers that are no longer needed.
 * @param ended ids
 * @returns the kinds of which there is new work
 */
export async function changeWork(
  client: PoolClient,
  partition: number,
  begun: readonly NewWork[],
  ended: readonly string[],
): Promise<string[]> {
  const over = new Set(ended);
  const added = begun.filter(({ id }) => !over.has(id));
  await addWork(client, partition, added);
  await removeWork(client, partition, [...over]);
  return [...new Set(added.map(({ kind }) => kind))];
}

async function removeWork(client: PoolClient, partition: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: 'work-remove',
    text: `${lockedInOrder('work')}
        delete from work where partition = $1 and id = any(array(select id from own))`,
    values: [partition, ids],
  });
}

/** The event store's table of work: calls of other systems, and timers. */
@Injectable()
export class WorkTable {
  readonly #finishing = new Map<number, Coalesced<Finished, void>>();

  constructor(private readonly database: Database) {}

  /**
   * A worker for one kind of work. `perform` gives an item's result; after a throw it is retried when its lease
   * expires.
   * @param sharing absent: owners do not matter, the oldest item is first
   */
  worker(
    kind: string,
    concurrency: number,
    perform: (item: WorkItem) => Promise<WorkResult>,
    sharing?: Sharing,
  ): Worker<WorkItem> {
    return {
      source: workSource(kind, sharing ? DUE_ORDER[sharing] : 'ByTime'),
      concurrency,
      givesWay: sharing === 'Shared' || sharing === 'AtTheirTime',
      inTurns: sharing === 'InTurns',
      perform: async (item) => this.#finish(item, await perform(item)),
    };
  }

  /** What an item carries; `null` where it carries nothing, or is not there. */
  async payloadOf<T>(partition: number, id: string): Promise<T | null> {
    const [row] = await this.database.backgroundQuery<{ payload: T | null }>({
      name: 'work-payload',
      text: 'select payload from work where partition = $1 and id = $2',
      values: [partition, id],
    });
    return row?.payload ?? null;
  }

  /** Work of a kind that is due later than it may be, as an earlier version had it, is due by then. */
  async bringForward(partition: number, kind: string, latest: Date): Promise<void> {
    await this.database.backgroundQuery({
      name: 'work-bring-forward',
      text: `
        with late as materialized (
          select id from work
          where partition = $1 and kind = $2 and ${BY_TIME} and due_at > $3
          order by due_at limit ${BROUGHT_FORWARD} for update skip locked)
        update work set due_at = $3 where partition = $1 and id = any(array(select id from late))`,
      values: [partition, kind, latest],
    });
  }

  /** Items that end while others are being written are written together. */
  #finish({ partition, id, lease: { name: lease } }: WorkItem, result: WorkResult): Promise<void> {
    let finishing = this.#finishing.get(partition);
    if (!finishing) {
      finishing = new Coalesced((finished) => this.#finishAll(partition, finished));
      this.#finishing.set(partition, finishing);
    }
    return finishing.run({ id, lease, result });
  }

  async #finishAll(partition: number, finished: readonly Finished[]): Promise<void[]> {
    for (const [lease, its] of Map.groupBy(finished, (one) => one.lease)) {
      const done = its.filter(({ result }) => result === 'done').map(({ id }) => id);
      const again = its.filter((one): one is Again => one.result !== 'done');
      if (done.length > 0) await this.database.backgroundQuery(remove(partition, done, lease));
      if (again.length > 0) await this.database.backgroundQuery(retry(partition, again, lease));
    }
    return finished.map(() => undefined);
  }
}

interface Finished {
  readonly id: string;
  readonly lease: string;
  readonly result: WorkResult;
}

type Again = Finished & { readonly result: Exclude<WorkResult, 'done'> };

function remove(partition: number, ids: readonly string[], lease: string): Statement {
  return {
    name: 'work-done',
    text: `${lockedInOrder('work', 'and lease = $3')}
        delete from work where partition = $1 and id = any(array(select id from own))`,
    values: [partition, ids, lease],
  };
}

function retry(partition: number, again: readonly Again[], lease: string): Statement {
  return {
    name: 'work-again',
    text: `${lockedInOrder('work', 'and lease = $3')}
        update work w
        set due_at = n.due_at, payload = coalesce(n.payload::json, w.payload), lease = null, leased_until = null,
          refused_since = ${refusedSince('n.refused_ms')}, refused_attempt = w.attempts
        from unnest($2::uuid[], $4::timestamptz[], $5::text[], $6::float8[]) as n (id, due_at, payload, refused_ms)
        where w.partition = $1 and w.id = any(array(select id from own)) and w.id = n.id`,
    values: [
      partition,
      again.map(({ id }) => id),
      lease,
      again.map(({ result }) => result.retryAt),
      again.map(({ result }) => (result.payload ? JSON.stringify(result.payload) : null)),
      again.map(({ result }) => result.refusals?.lastMs ?? null),
    ],
  };
}
