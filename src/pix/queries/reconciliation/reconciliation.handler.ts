import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Database } from '../../../platform/database/index.js';
import { ServiceUnavailable } from '../../../platform/errors/index.js';
import { midnightOf } from '../../../platform/sao-paulo.js';
import { PIX_RAIL, type PixRail, type RailMovement, RailUnavailable } from '../../rails/pix-rail.js';
import { Comparison } from './comparison.js';
import { ReconcileDay, type Reconciliation } from './reconciliation.query.js';

const HOUR_MS = 3_600_000;

@QueryHandler(ReconcileDay)
export class ReconcileDayHandler implements IQueryHandler<ReconcileDay> {
  constructor(
    private readonly database: Database,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ day }: ReconcileDay): Promise<Reconciliation> {
    const from = midnightOf(day);
    const to = new Date(from.getTime() + 24 * HOUR_MS);
    const comparison = new Comparison();
    // Hour by hour, to bound memory on a busy day; both sides use the rail's time.
    for (let start = from; start < to; start = new Date(start.getTime() + HOUR_MS)) {
      const end = new Date(start.getTime() + HOUR_MS);
      comparison.add(await this.#atRail(start, end), await this.#inLedger(start, end));
    }
    const { rail, ledger, mismatched, mismatches } = comparison;
    return { from, to, rail, ledger, mismatched, mismatches };
  }

  async #atRail(from: Date, to: Date): Promise<RailMovement[]> {
    const movements: RailMovement[] = [];
    let cursor: string | null = null;
    try {
      do {
        const page = await this.rail.movementsBetween(from, to, cursor);
        movements.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
    } catch (error) {
      if (!(error instanceof RailUnavailable)) throw error;
      throw new ServiceUnavailable('The rail is not available at the moment.');
    }
    return movements;
  }

  async #inLedger(from: Date, to: Date) {
    const rows = await this.database.query<{
      kind: RailMovement['kind'];
      rail_id: string;
      amount: string;
      transaction_id: string | null;
    }>({
      name: 'pix-movements-between',
      text: `
        select m.kind, m.rail_id, m.amount, m.transaction_id
        from log_head h
        join pix_movement m on m.partition = h.partition and m.at >= $1 and m.at < $2`,
      values: [from, to],
    });
    return rows.map((row) => ({
      kind: row.kind,
      id: row.rail_id,
      amount: BigInt(row.amount),
      transactionId: row.transaction_id,
    }));
  }
}
