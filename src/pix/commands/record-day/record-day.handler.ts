import { Inject, Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import type { BalanceRead } from '../../domain/events/index.js';
import { caseIdOf, type Difference, recordDay } from '../../domain/reconciliation.decider.js';
import { BalanceComparison } from '../../queries/reconciliation/balance-comparison.js';
import { PIX_RAIL, type PixRail } from '../../rails/pix-rail.js';
import { RailUnavailable } from '../../rails/rail-errors.js';
import type { ReconciledDay } from '../../domain/reconciliation.js';
import { dayTable, reconciledDayProjection, reconciliationCaseProjection } from '../../reconciliation.projections.js';
import { RecordDay } from './record-day.command.js';

@CommandHandler(RecordDay)
export class RecordDayHandler implements ICommandHandler<RecordDay> {
  readonly #logger = new Logger('Reconciliation');

  constructor(
    private readonly ledger: Ledger,
    private readonly database: Database,
    private readonly balances: BalanceComparison,
    @Inject(PIX_RAIL) private readonly rail: PixRail,
  ) {}

  async execute({ day, mismatched, mismatches, isLast }: RecordDay): Promise<void> {
    const last = await this.#lastDay();
    const read = isLast ? await this.#balance() : undefined;
    const differences: Difference[] = [
      ...mismatches.map(({ id: reference, ...mismatch }) => ({ reference, ...mismatch })),
      ...(!isLast || last?.day === day ? [] : await this.#differenceOfBalance(last)),
    ];
    const night = { day, mismatched, differences, ...balancesOf(last, read) };
    await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { reconciledDays: [day], reconciliationCases: differences.map(caseIdOf) },
      decide: (rows) =>
        recordDay(
          { day: rows.of(reconciledDayProjection).get(day), cases: rows.of(reconciliationCaseProjection) },
          night,
        ),
      metadata: { actor: 'timer' },
    });
  }

  async #lastDay(): Promise<ReconciledDay | undefined> {
    const [row] = await this.database.query({
      name: 'reconciled-day-last',
      text: `
        select ${dayTable.columns} from reconciled_day
        where partition = $1 order by day desc limit 1`,
      values: [REGISTRY_PARTITION],
    });
    return row && reconciledDayProjection.parse(row);
  }

  /** Movements are compared even if the rail does not give its balance. */
  async #balance(): Promise<BalanceRead | undefined> {
    try {
      const at = new Date().toISOString();
      const amount = await this.rail.balance?.();
      return amount === undefined ? undefined : { at, amount: amount.toString() };
    } catch (error) {
      if (!(error instanceof RailUnavailable)) throw error;
      this.#logger.warn({ err: error }, 'the rail did not give its balance; it is compared on another night');
      return undefined;
    }
  }

  /**
   * Compares the two balances that were read last: by now, notifications of payments in flight at that time have
   * arrived.
   */
  async #differenceOfBalance(last: ReconciledDay | undefined): Promise<Difference[]> {
    if (!last?.balance || !last.before) return [];
    const rail = BigInt(last.balance.amount);
    const ledger = await this.balances.expected(last.before, new Date(last.balance.at));
    if (rail === ledger) return [];
    return [{ kind: 'Balance', reference: last.balance.at, transactionId: null, rail, ledger }];
  }
}

function balancesOf(last: ReconciledDay | undefined, read: BalanceRead | undefined) {
  const [balance, before] = read ? [read, last?.balance] : [last?.balance, last?.before];
  return { ...(balance && { balance }), ...(before && { before }) };
}
