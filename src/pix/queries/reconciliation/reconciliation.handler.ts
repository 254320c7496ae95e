import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CaughtUp } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { ServiceUnavailable } from '../../../platform/errors/index.js';
import { midnightOf } from '../../../platform/sao-paulo.js';
import { PIX_RAIL, type PixRail, type RailMovement } from '../../rails/pix-rail.js';
import { RailUnavailable } from '../../rails/rail-errors.js';
import { Comparison } from './comparison.js';
import { movementProjection } from './movement.projection.js';
import { ReconcileDay, type Reconciliation } from './reconciliation.query.js';

const HOUR_MS = 3_600_000;
/** Movements of one interval that are held in memory, where it is longer than an hour. */
const AT_ONCE = 20_000;
/** Of a shorter one: more calls of the PSP would be needed for its halves, and still no hour is without a bound. */
const AT_MOST = 50_000;
/** PSPs may tell times in whole seconds: no interval is shorter, however much it has. */
const SHORTEST_MS = 1_000;
/** Until the ledger's movements are as far as its log. */
const PATIENCE_MS = 5_000;

@QueryHandler(ReconcileDay)
export class ReconcileDayHandler implements IQueryHandler<ReconcileDay> {
  constructor(
    private readonly database: Database,
    private readonly caughtUp: CaughtUp,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  /** @throws ServiceUnavailable while one of the two sides does not have its movements */
  async execute({ day }: ReconcileDay): Promise<Reconciliation> {
    // Each payment that was booked and is not among them yet would be a difference.
    if (!(await this.caughtUp.within(PATIENCE_MS, movementProjection))) {
      throw new ServiceUnavailable('The movements of the ledger are behind its log at the moment.');
    }
    const from = midnightOf(day);
    const to = new Date(from.getTime() + 24 * HOUR_MS);
    const comparison = new Comparison();
    await this.#compare(comparison, from, to);
    const { rail, ledger, mismatched, mismatches } = comparison;
    return { from, to, rail, ledger, mismatched, mismatches };
  }

  /**
   * In as few intervals as memory allows, because a PSP is asked about 91 days for the returns of each; one with too
   * many movements is halved. Both sides use the rail's time.
   */
  async #compare(comparison: Comparison, from: Date, to: Date): Promise<void> {
    const length = to.getTime() - from.getTime();
    const most = length > HOUR_MS ? AT_ONCE : length > SHORTEST_MS ? AT_MOST : Infinity;
    const isBusy = most < Infinity && (await this.#isAboveInLedger(most, from, to));
    const rail = isBusy ? undefined : await this.#atRail(from, to, most);
    if (rail) return comparison.add(rail, await this.#inLedger(from, to));
    const middle = new Date((from.getTime() + to.getTime()) / 2);
    await this.#compare(comparison, from, middle);
    await this.#compare(comparison, middle, to);
  }

  /** @returns `undefined` where there are more than `most` */
  async #atRail(from: Date, to: Date, most: number): Promise<RailMovement[] | undefined> {
    const movements: RailMovement[] = [];
    let cursor: string | null = null;
    try {
      do {
        const page = await this.rail.movementsBetween(from, to, cursor);
        movements.push(...page.items);
        if (movements.length > most) return undefined;
        cursor = page.nextCursor;
      } while (cursor !== null);
    } catch (error) {
      if (!(error instanceof RailUnavailable)) throw error;
      throw new ServiceUnavailable('The rail is not available at the moment.');
    }
    return movements;
  }

  async #isAboveInLedger(most: number, from: Date, to: Date): Promise<boolean> {
    const rows = await this.database.query({
      name: 'pix-movements-above',
      text: `
        select 1
        from log_head h
        join pix_movement m on m.partition = h.partition and m.at >= $1 and m.at < $2
        offset $3 limit 1`,
      values: [from, to, most],
    });
    return rows.length > 0;
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
