import { Link } from 'react-router';
import type { Overview } from '../../api/views.js';
import { useSession } from '../../app/session.js';
import { centavosOf, formatCount, formatMoney, formatShare, fromCentavos } from '../../format/money.js';
import { formatDuration } from '../../format/date.js';
import { t, word } from '../../i18n/index.js';
import { Tile } from '../../ui/layout.js';

/** Key figures of the period. */
export function Totals({
  overview: { totals, success, latency, queues, followers, deliveries, holds, cases },
}: {
  readonly overview: Overview;
}) {
  const { mayChange } = useSession();
  const completed = totals.filter(({ state }) => state === 'Completed');
  const count = completed.reduce((sum, one) => sum + one.count, 0);
  const volume = completed.reduce((sum, { amount }) => sum + centavosOf(amount), 0n);
  const ended = success.reduce((sum, one) => sum + one.ended, 0);
  const good = success.reduce((sum, one) => sum + one.completed, 0);
  const waiting = queues.reduce((sum, one) => sum + one.waiting, 0);
  const lag = Math.max(0, ...followers.map(({ behind }) => behind));
  const slowest = latency.reduce<(typeof latency)[number] | undefined>(
    (found, one) => ((one.p99Ms ?? 0) > (found?.p99Ms ?? -1) ? one : found),
    undefined,
  );
  const failing = deliveries.retrying + deliveries.stopped + deliveries.exhausted;
  return (
    <div className="tiles">
      <Tile name={t('Completed')} value={formatCount(count)} note={formatMoney(fromCentavos(String(volume)))} />
      <Tile
        name={t('Success rate')}
        value={formatShare(ended === 0 ? null : good / ended)}
        note={t('{} of {} that ended', formatCount(good), formatCount(ended))}
      />
      <Tile
        name={t('Latency, p99')}
        value={formatDuration(slowest?.p99Ms)}
        note={slowest && `${word(slowest.type)} · ${t('median {}', formatDuration(slowest.p50Ms))}`}
      />
      <Tile name={t('Queued work')} value={formatCount(waiting)} note={t('{} kinds', queues.length)} />
      <Tile name={t('Consumer lag')} value={formatCount(lag)} note={t('events, at most')} />
      <Tile
        name={t('Deliveries failing')}
        value={mayChange ? <Link to="/deliveries">{formatCount(failing)}</Link> : formatCount(failing)}
        note={t('{} due now', formatCount(deliveries.due))}
      />
      <Tile name={t('Open holds')} value={counted(holds)} note={t('{} blocked', formatMoney(holds.blocked))} />
      <Tile
        name={t('Open MED cases')}
        value={<Link to="/med">{counted(cases)}</Link>}
        note={t('{} overdue', formatCount(cases.overdue))}
      />
    </div>
  );
}

function counted({ count, capped }: { readonly count: number; readonly capped: boolean }): string {
  return capped ? t('{} or more', formatCount(count)) : formatCount(count);
}
