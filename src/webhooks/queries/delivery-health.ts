import { Injectable } from '@nestjs/common';
import { Partitions } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import type { DeliveryHealthView } from './delivery-health.answer.js';

/** The most counted of each partition: the cost must not grow with the backlog. */
const MAX_COUNTED = 10_000;

/** Counts undelivered webhooks, by their own indexes. */
@Injectable()
export class DeliveryHealth {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /** @returns the counts, and the partitions that did not answer */
  async read(now: Date): Promise<DeliveryHealthView & { readonly away: readonly number[] }> {
    const { found, away } = await this.partitions.ask(this.partitions.all(), async (partition) => ({
      due: await this.#due(partition, now),
      statuses: await this.#statuses(partition),
    }));
    const due = found.map(([, one]) => one.due);
    const statuses = found.map(([, one]) => one.statuses);
    const of = (status: string) =>
      statuses.flat().reduce((sum, one) => (one.status === status ? sum + one.count : sum), 0);
    const oldest = due.flatMap((one) => one.oldest?.getTime() ?? []);
    return {
      due: due.reduce((sum, one) => sum + one.due, 0),
      oldestDueSeconds: oldest.length === 0 ? null : Math.max(0, (now.getTime() - Math.min(...oldest)) / 1000),
      waiting: of('Pending'),
      retrying: of('Retrying'),
      stopped: of('Stopped'),
      exhausted: of('Exhausted'),
      capped:
        due.some((one) => one.due === MAX_COUNTED) ||
        statuses.some((rows) => rows.reduce((sum, { count }) => sum + count, 0) === MAX_COUNTED),
      away,
    };
  }

  async #due(partition: number, now: Date) {
    const [row] = await this.database.query<{ due: number; oldest: Date | null }>({
      name: 'webhook-health-due',
      text: `
        select count(*)::int as due, min(due_at) as oldest from (
          select due_at from webhook_delivery
          where partition = $1 and due_at is not null and due_at <= $2
          limit ${MAX_COUNTED}) as found`,
      values: [partition, now],
    });
    return row!;
  }

  #statuses(partition: number) {
    return this.database.query<{ status: string; count: number }>({
      name: 'webhook-health-statuses',
      text: `
        select status, count(*)::int as count from (
          select status from webhook_delivery
          where partition = $1 and status <> 'Delivered'
          limit ${MAX_COUNTED}) as open
        group by status`,
      values: [partition],
    });
  }
}
