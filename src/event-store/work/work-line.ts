import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database } from '../../platform/database/index.js';
import { Partitions } from '../log/partitions.js';
import type { WorkItem, WorkResult } from './work-table.js';

/** An item of work that stands in a line, and whose. */
export interface InLine extends Omit<WorkItem, 'attempts'> {
  readonly partnerUid: string;
  readonly dueAt: Date;
  /** How often it was begun before. */
  readonly begun: number;
}

/**
 * Work of one kind that only one process does at a time (it holds a lease of another item), and of which each partner's
 * oldest stand in front. Its rows are not leased: how often an item was begun fences what is written to it.
 */
@Injectable()
export class WorkLine {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /** The oldest of each partner that has something due; payloads name the partner. */
  async fronts(kind: string, now: Date, ofEach: number): Promise<InLine[]> {
    const there = this.partitions.all().filter((partition) => !this.partitions.isAway(partition));
    if (there.length === 0) return [];
    const { found } = await this.partitions.ask(there, (partition) =>
      this.database.backgroundQuery({
        name: 'work-line-fronts',
        text: `
          with recursive partner (uid) as (
            (select payload ->> 'partnerUid' from work
             where partition = $1 and kind = $2 and payload ->> 'partnerUid' is not null
             order by payload ->> 'partnerUid' limit 1)
            union all
            select (
              select payload ->> 'partnerUid' from work
              where partition = $1 and kind = $2 and payload ->> 'partnerUid' > partner.uid
              order by payload ->> 'partnerUid' limit 1)
            from partner where partner.uid is not null)
          select $1::int as partition, w.id, w.kind, w.subject, w.payload, w.attempts, w.due_at, partner.uid
          from partner
          cross join lateral (
            select id, kind, subject, payload, attempts, due_at from work
            where partition = $1 and kind = $2 and payload ->> 'partnerUid' = partner.uid and due_at <= $3
            order by due_at limit $4) as w`,
        values: [partition, kind, now, ofEach],
      }),
    );
    return found.flatMap(([, rows]) => rows.map(inLine));
  }

  /** @returns how often it was begun now, or `undefined` where somebody else began it, or it is done */
  async begin({ partition, id, begun }: InLine): Promise<number | undefined> {
    const [row] = await this.database.backgroundQuery<{ attempts: number }>({
      name: 'work-line-begin',
      text: `
        update work set attempts = attempts + 1 where partition = $1 and id = $2 and attempts = $3
        returning attempts`,
      values: [partition, id, begun],
    });
    return row?.attempts;
  }

  async end({ partition, id }: InLine, attempts: number, result: WorkResult): Promise<void> {
    await this.database.backgroundQuery(
      result === 'done'
        ? {
            name: 'work-line-done',
            text: 'delete from work where partition = $1 and id = $2 and attempts = $3',
            values: [partition, id, attempts],
          }
        : {
            name: 'work-line-again',
            text: 'update work set due_at = $4 where partition = $1 and id = $2 and attempts = $3',
            values: [partition, id, attempts, result.retryAt],
          },
    );
  }
}

function inLine(row: QueryResultRow): InLine {
  return {
    partition: row.partition as number,
    id: row.id as string,
    kind: row.kind as string,
    subject: row.subject as string,
    payload: row.payload,
    partnerUid: row.uid as string,
    dueAt: row.due_at as Date,
    begun: row.attempts as number,
  };
}
