import { Injectable } from '@nestjs/common';
import { Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { OpenHoldsView } from './open-holds.answer.js';

/** The most counted of each partition: the cost must not grow with the holds that are open. */
const MAX_COUNTED = 10_000;

/** Counts open holds, by their own index. */
@Injectable()
export class OpenHolds {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /** @returns the counts, and the partitions that did not answer */
  async read(): Promise<OpenHoldsView & { readonly away: readonly number[] }> {
    const { found, away } = await this.partitions.ask(this.partitions.all(), (partition) =>
      this.database.query<{ count: number; blocked: string }>({
        name: 'open-holds',
        text: `
          select count(*)::int as count, coalesce(sum(filled - released - executed - returned), 0)::text as blocked from (
            select filled, released, executed, returned from hold
            where partition = $1 and status = 'Open'
            limit ${MAX_COUNTED}) as open`,
        values: [partition],
      }),
    );
    const rows = found.flatMap(([, one]) => one);
    return {
      count: rows.reduce((sum, { count }) => sum + count, 0),
      blocked: formatAmount(rows.reduce((sum, { blocked }) => sum + BigInt(blocked), 0n)),
      capped: rows.some(({ count }) => count === MAX_COUNTED),
      away,
    };
  }
}
