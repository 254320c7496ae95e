import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Overview } from '../../api/views.js';
import { useSession } from '../../app/session.js';
import { formatDuration } from '../../format/date.js';
import { formatCount, formatShare } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { Panel } from '../../ui/layout.js';
import { type Column, Table } from '../../ui/table.js';
import { Status } from '../../ui/values.js';

/** Success and latency, queues, consumers and deliveries, a table each. */
export function Health({ overview }: { readonly overview: Overview }) {
  const { success, latency, queues, followers, deliveries } = overview;
  const kinds = [...new Set([...success, ...latency].map(({ type }) => type))];
  const late = [...followers].sort((one, other) => other.behind - one.behind);
  return (
    <div className="columns">
      <Figures
        title={t('Success and latency')}
        head={[t('Kind'), t('Ended'), t('Success'), t('Median'), 'p99']}
        empty={t('No transaction ended in this period.')}
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
      </Figures>
      <Figures title={t('Deliveries')} head={[t('Status'), t('Number')]}>
        {[
          [t('Due now'), formatCount(deliveries.due)],
          [<Failing key="s" status="Retrying" />, formatCount(deliveries.retrying)],
          [t('Waiting for an earlier delivery'), formatCount(deliveries.waiting)],
          [<Failing key="s" status="Stopped" />, formatCount(deliveries.stopped)],
          [<Failing key="s" status="Exhausted" />, formatCount(deliveries.exhausted)],
          [t('Oldest due'), ofSeconds(deliveries.oldestDueSeconds)],
        ]}
      </Figures>
      <Figures title={t('Queues')} head={[t('Work'), t('Waiting'), t('Oldest')]} empty={t('The queues are empty.')}>
        {queues.map(({ kind, waiting, oldestSeconds }) => [kind, formatCount(waiting), ofSeconds(oldestSeconds)])}
      </Figures>
      <Figures
        title={t('Consumers')}
        head={[t('Consumer'), t('Partition'), t('Lag in events')]}
        empty={t('No consumer reads the log.')}
      >
        {late
          .slice(0, 8)
          .map(({ name, partition, behind }) => [
            name,
            formatCount(partition),
            behind === 0 ? <Status key="b" value={t('up to date')} tone="good" /> : formatCount(behind),
          ])}
      </Figures>
    </div>
  );
}

/** A status; for operators a link to the deliveries in it. */
function Failing({ status }: { readonly status: string }) {
  const { mayChange } = useSession();
  return mayChange ? (
    <Link to={`/deliveries?status=${status}`}>
      <Status value={status} />
    </Link>
  ) : (
    <Status value={status} />
  );
}

function ofSeconds(seconds: number | null): string {
  return formatDuration(seconds === null ? null : seconds * 1000);
}

type Row = readonly ReactNode[];

interface Props {
  readonly title: string;
  readonly head: readonly string[];
  readonly empty?: string;
  readonly children: readonly Row[];
}

/** A table with one column of words, then columns of numbers. */
function Figures({ title, head, empty, children }: Props) {
  const columns = head.map((name, i): Column<Row> => ({ name, number: i > 0, cell: (cells) => cells[i] }));
  return (
    <Panel title={title} flush>
      <Table label={title} columns={columns} rows={children} empty={empty} />
    </Panel>
  );
}
