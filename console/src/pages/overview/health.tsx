import type { ReactNode } from 'react';
import { formatDuration } from '../../format/date.js';
import { formatCount, formatShare } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { Panel } from '../../ui/layout.js';
import { Empty } from '../../ui/states.js';
import { Status } from '../../ui/values.js';
import type { Overview } from './overview-page.js';

/** Kinds, queues, followers and deliveries, a table each. */
export function Health({ overview }: { readonly overview: Overview }) {
  const { success, latency, queues, followers, deliveries } = overview;
  const kinds = [...new Set([...success, ...latency].map(({ type }) => type))];
  const late = [...followers].sort((one, other) => other.behind - one.behind);
  return (
    <div className="columns">
      <Panel title={t('Success and latency')} flush>
        <Small
          head={[t('Kind'), t('Ended'), t('Success'), t('Median'), t('99 of 100')]}
          empty={t('Nothing ended in this period.')}
        >
          {kinds.map((kind) => {
            const ended = success.find(({ type }) => type === kind);
            const time = latency.find(({ type }) => type === kind);
            return [
              word(kind),
              formatCount(ended?.ended ?? 0),
              formatShare(ended?.rate),
              formatDuration(time?.p50Ms),
              formatDuration(time?.p99Ms),
            ];
          })}
        </Small>
      </Panel>
      <Panel title={t('Deliveries')} flush>
        <Small head={[t('Status'), t('Number')]} empty="">
          {[
            [t('Due now'), formatCount(deliveries.due)],
            [<Status key="s" value="Retrying" />, formatCount(deliveries.retrying)],
            [t('Waiting for an earlier one'), formatCount(deliveries.waiting)],
            [<Status key="s" value="Stopped" />, formatCount(deliveries.stopped)],
            [<Status key="s" value="Exhausted" />, formatCount(deliveries.exhausted)],
            [t('Oldest that is due'), ofSeconds(deliveries.oldestDueSeconds)],
          ]}
        </Small>
      </Panel>
      <Panel title={t('Queues')} flush>
        <Small head={[t('Work'), t('Waiting'), t('Oldest')]} empty={t('No work is waiting.')}>
          {queues.map(({ kind, waiting, oldestSeconds }) => [kind, formatCount(waiting), ofSeconds(oldestSeconds)])}
        </Small>
      </Panel>
      <Panel title={t('Projections')} flush>
        <Small head={[t('Follower'), t('Partition'), t('Events behind')]} empty={t('Nothing follows the log.')}>
          {late
            .slice(0, 8)
            .map(({ name, partition, behind }) => [
              name,
              formatCount(partition),
              behind === 0 ? <Status key="b" value={t('up to date')} tone="good" /> : formatCount(behind),
            ])}
        </Small>
      </Panel>
    </div>
  );
}

function ofSeconds(seconds: number | null): string {
  return formatDuration(seconds === null ? null : seconds * 1000);
}

interface SmallProps {
  readonly head: readonly string[];
  readonly empty: string;
  readonly children: readonly (readonly ReactNode[])[];
}

/** A table whose first column is words and whose others are numbers. */
function Small({ head, empty, children }: SmallProps) {
  if (children.length === 0) return <Empty title={empty} />;
  return (
    <div className="scroll">
      <table className="table">
        <thead>
          <tr>
            {head.map((name, i) => (
              <th key={name} scope="col" className={i > 0 ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {children.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, i) => (
                <td key={i} className={i > 0 ? 'number' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
