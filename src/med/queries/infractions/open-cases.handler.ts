import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { CountOpenCases, type OpenCases } from './infractions.query.js';

/** The most counted of each partition: the cost must not grow with the cases that are open. */
const MAX_COUNTED = 10_000;

/** Counts cases without a decision, by the index of their status. */
@QueryHandler(CountOpenCases)
export class CountOpenCasesHandler implements IQueryHandler<CountOpenCases> {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  async execute(): Promise<OpenCases> {
    const { found, away } = await this.partitions.ask(this.partitions.all(), (partition) =>
      this.database.query<{ count: number; overdue: number }>({
        name: 'open-cases',
        text: `
          select count(*)::int as count, (count(*) filter (where overdue))::int as overdue from (
            select overdue from infraction
            where partition = $1 and status in ('Open', 'Defended')
            limit ${MAX_COUNTED}) as open`,
        values: [partition],
      }),
    );
    const rows = found.flatMap(([, one]) => one);
    return {
      count: rows.reduce((sum, { count }) => sum + count, 0),
      overdue: rows.reduce((sum, { overdue }) => sum + overdue, 0),
      capped: rows.some(({ count }) => count === MAX_COUNTED),
      away,
    };
  }
}
