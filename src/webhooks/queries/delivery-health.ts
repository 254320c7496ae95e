import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';

/** How deliveries fare, over all partners. */
export interface DeliveryHealthView {
  /** Attempts that are due now. */
  readonly due: number;
  readonly oldestDueSeconds: number | null;
  /** Not tried yet. */
  readonly waiting: number;
  readonly retrying: number;
  readonly stopped: number;
  readonly exhausted: number;
  /** Of some there are more than are counted. */
  readonly capped: boolean;
}

/** What is counted at most of each partition: the answer's cost must not grow with the backlog. */
const MOST = 10_000;

/** Reads what is not delivered, which is little beside the history, by its own indexes. */
@Injectable()
export class DeliveryHealth {
  constructor(private readonly database: Database) {}

  async read(now: Date): Promise<DeliveryHealthView> {
    const [due, statuses] = await Promise.all([
      this.database.query<{ due: number; oldest: Date | null; full: boolean }>({
        name: 'webhook-health-due',
        text: `
          select coalesce(sum(d.due), 0)::int as due, min(d.oldest) as oldest, coalesce(bool_or(d.due = ${MOST}), false) as full
          from log_head h
          cross join lateral (
            select count(*) as due, min(due_at) as oldest from (
              select due_at from webhook_delivery
              where partition = h.partition and due_at is not null and due_at <= $1
              limit ${MOST}) as found) d`,
        values: [now],
      }),
      this.database.query<{ status: string; count: number; full: boolean }>({
        name: 'webhook-health-statuses',
        text: `
          with open as materialized (
            select d.partition, d.status from log_head h
            cross join lateral (
              select partition, status from webhook_delivery
              where partition = h.partition and status <> 'Delivered'
              limit ${MOST}) d)
          select status, count(*)::int as count,
            (select coalesce(bool_or(seen = ${MOST}), false) from (select count(*) as seen from open group by partition) as p) as full
          from open group by status`,
      }),
    ]);
    const of = (status: string) => statuses.find((one) => one.status === status)?.count ?? 0;
    const { due: count, oldest, full } = due[0]!;
    return {
      due: count,
      oldestDueSeconds: oldest && Math.max(0, (now.getTime() - oldest.getTime()) / 1000),
      waiting: of('Pending'),
      retrying: of('Retrying'),
      stopped: of('Stopped'),
      exhausted: of('Exhausted'),
      capped: full || statuses.some((one) => one.full),
    };
  }
}
