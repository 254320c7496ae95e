import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { OpenHolds } from '../../../accounts/index.js';
import { formatAmount } from '../../../platform/money.js';
import { CountOpenCases } from '../../../med/index.js';
import { DeliveryHealth } from '../../../webhooks/index.js';
import { latencyOf } from '../../projection/totals.js';
import type { LatencySeriesView, OverviewView } from './overview.answer.js';
import { ReadLatency, ReadOverview } from './overview.query.js';
import { type Counted, type LatencyRow, Totals } from './totals.js';
import { Backlogs } from './backlogs.js';

/** A state counts as an end of a transaction unless more follow. */
const OPEN = ['Scheduled', 'Registered'];
const SUCCESS = 'Completed';

@QueryHandler(ReadOverview)
export class ReadOverviewHandler implements IQueryHandler<ReadOverview> {
  constructor(
    private readonly totals: Totals,
    private readonly backlogs: Backlogs,
    private readonly deliveries: DeliveryHealth,
    private readonly holds: OpenHolds,
    private readonly queries: QueryBus,
  ) {}

  async execute({ period }: ReadOverview): Promise<OverviewView> {
    const now = new Date();
    const [totalled, backlogs, { away: ofDeliveries, ...deliveries }, { away: ofHolds, ...holds }, opened] =
      await Promise.all([
        this.totals.read(period),
        this.backlogs.read(now),
        this.deliveries.read(now),
        this.holds.read(),
        this.queries.execute(new CountOpenCases()),
      ]);
    const { away: ofCases, ...cases } = opened;
    const { series, latencies } = totalled;
    const { queues, followers } = backlogs;
    const away = new Set([totalled.away, backlogs.away, ofDeliveries, ofHolds, ofCases].flat());
    const totals = summed(series);
    return {
      ...period,
      series: series.map(({ at, ...counted }) => ({ at, ...show(counted) })),
      totals: totals.map(show),
      success: successOf(totals),
      latency: percentilesOf(latencies),
      queues,
      followers,
      deliveries,
      holds,
      cases,
      partitionsAway: [...away].sort((a, b) => a - b),
    };
  }
}

/** A read of its own: it has many rows, and only a chart needs them. */
@QueryHandler(ReadLatency)
export class ReadLatencyHandler implements IQueryHandler<ReadLatency> {
  constructor(private readonly totals: Totals) {}

  async execute({ period }: ReadLatency): Promise<LatencySeriesView> {
    const series: LatencySeriesView['series'] = [];
    const missing = new Set<number>();
    for await (const { steps, away } of this.totals.latencyOfSteps(period)) {
      series.push(...seriesOf(steps));
      away.forEach((partition) => missing.add(partition));
    }
    return { ...period, series, partitionsAway: [...missing].sort((a, b) => a - b) };
  }
}

function seriesOf(steps: readonly (LatencyRow & { readonly at: Date })[]) {
  return [...Map.groupBy(steps, ({ at }) => at.getTime())]
    .sort(([one], [other]) => one - other)
    .flatMap(([at, rows]) => percentilesOf(rows).map((shown) => ({ at: new Date(at), ...shown })));
}

function show({ type, state, count, amount }: Counted) {
  return { type, state, count, amount: formatAmount(amount) };
}

function summed(series: readonly Counted[]): Counted[] {
  const groups = Map.groupBy(series, ({ type, state }) => `${type}/${state}`);
  return [...groups.values()].map((group) => ({
    type: group[0]!.type,
    state: group[0]!.state,
    count: group.reduce((sum, { count }) => sum + count, 0),
    amount: group.reduce((sum, { amount }) => sum + amount, 0n),
  }));
}

/** The share of the period's ended transactions that were completed. */
function successOf(totals: readonly Counted[]) {
  return [...Map.groupBy(totals, ({ type }) => type)].map(([type, group]) => {
    const count = (wanted: (state: string) => boolean) =>
      group.reduce((sum, one) => (wanted(one.state) ? sum + one.count : sum), 0);
    const ended = count((state) => !OPEN.includes(state));
    const completed = count((state) => state === SUCCESS);
    return { type, ended, completed, rate: ended === 0 ? null : Math.round((completed / ended) * 10_000) / 10_000 };
  });
}

function percentilesOf(rows: readonly LatencyRow[]) {
  return [...Map.groupBy(rows, ({ type }) => type)].map(([type, group]) => {
    const count = group.reduce((sum, one) => sum + one.count, 0);
    const inOrder = group.toSorted((a, b) => a.latency - b.latency);
    return { type, count, p50Ms: percentile(inOrder, count, 0.5), p99Ms: percentile(inOrder, count, 0.99) };
  });
}

/** The time within which that share was completed. */
function percentile(inOrder: readonly LatencyRow[], count: number, part: number): number {
  let seen = 0;
  const within = inOrder.find((one) => (seen += one.count) >= count * part);
  return latencyOf(within!.latency);
}
