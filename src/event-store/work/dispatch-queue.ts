import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database } from '../../platform/database/index.js';
import { Partitions } from '../log/partitions.js';
import { NEXT_ATTEMPT, OWNER, OWNERS_WITH_WORK } from './due-statements.js';
import type { HeldLease } from './held-lease.js';
import { REFUSED_MS, refusalsOf, refusedSince } from './refusals.js';
import type { Attempt, WorkItem } from './work-item.js';
import { itemOf } from './work-rows.js';
import type { WorkResult } from './work-table.js';

/** A work item in a dispatch queue, and its owner. */
export interface QueuedWork extends Omit<WorkItem, keyof Attempt> {
  readonly owner: string;
  /** How often it was begun before. */
  readonly begun: number;
}

/**
 * A queue of work of one kind that one process dispatches at a time: the process that holds the lease of another item.
 * It is read by owner, oldest first. Its rows are not leased: the number of attempts fences writes to an item.
 */
@Injectable()
export class DispatchQueue {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /** The oldest due items of each owner that payloads name. */
  async heads(kind: string, now: Date, ofEach: number): Promise<QueuedWork[]> {
    const reachable = this.partitions.all().filter((partition) => !this.partitions.isUnreachable(partition));
    if (reachable.length === 0) return [];
    const { found } = await this.partitions.ask(reachable, (partition) =>
      this.database.backgroundQuery({
        name: 'dispatch-queue-heads',
        text: `${OWNERS_WITH_WORK}
          select $1::int as partition, w.id, w.kind, w.subject, w.payload, w.attempts, w.due_at, queued.uid
          from queued
          cross join lateral (
            select id, kind, subject, payload, attempts, due_at from work
            where partition = $1 and kind = $2 and ${OWNER} = queued.uid and due_at <= $3
            order by due_at limit $4) as w`,
        values: [partition, kind, now, ofEach],
      }),
    );
    return found.flatMap(([, rows]) => rows.map(parse));
  }

  /**
   * @param lease that of the queue
   * @returns `undefined` where another process began it, or it is done
   */
  async begin({ partition, id, begun }: QueuedWork, lease: HeldLease): Promise<Attempt | undefined> {
    const [row] = await this.database.backgroundQuery<{ attempts: number; refused_ms: number | null }>({
      name: 'dispatch-queue-begin',
      text: `
        with begun as materialized (
          select id, ${REFUSED_MS}
          from work where partition = $1 and id = $2 and attempts = $3 for update)
        update work w set attempts = ${NEXT_ATTEMPT} from begun where w.partition = $1 and w.id = begun.id
        returning attempts, refused_ms`,
      values: [partition, id, begun],
    });
    return row && { attempts: row.attempts, lease, refusals: refusalsOf(row.refused_ms) };
  }

  async end({ partition, id }: QueuedWork, attempts: number, result: WorkResult): Promise<void> {
    await this.database.backgroundQuery(
      result === 'done'
        ? {
            name: 'dispatch-queue-done',
            text: 'delete from work where partition = $1 and id = $2 and attempts = $3',
            values: [partition, id, attempts],
          }
        : {
            name: 'dispatch-queue-again',
            text: `
              update work set due_at = $4, refused_since = ${refusedSince('$5::float8')}, refused_attempt = attempts
              where partition = $1 and id = $2 and attempts = $3`,
            values: [partition, id, attempts, result.retryAt, result.refusals?.lastMs ?? null],
          },
    );
  }
}

function parse(row: QueryResultRow): QueuedWork {
  return {
    ...itemOf(row),
    owner: row.uid as string,
    begun: row.attempts as number,
  };
}
