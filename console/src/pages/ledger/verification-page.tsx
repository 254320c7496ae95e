import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { answer, api, type Data, textOf } from '../../api/client.js';
import { formatDuration } from '../../format/date.js';
import { formatCount } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { Fact, Facts, Page, Panel } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Moment, Root } from '../../ui/values.js';
import { RunProgress, RunStatus } from './run-status.js';

type Run = Data<'/audit/verifications/{id}'>;
type Report = NonNullable<Run['report']>;

/** One verification: its progress, then its report. */
export default function VerificationPage() {
  const id = useParams()['id']!;
  const run = useQuery({
    queryKey: ['verification', id],
    queryFn: () => answer(api.GET('/audit/verifications/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'Running' ? 500 : false),
  });
  return (
    <Page title={t('Verification')} crumbs={[['/ledger', t('Ledger')]]}>
      <Answered query={run}>
        {(data) => (
          <>
            <Panel title={data.status === 'Finished' ? t('Verdict') : t('Progress')}>
              <div
                className={data.status === 'Finished' ? `notice ${data.ok ? 'good' : 'bad'}` : undefined}
                data-verification={data.status}
                data-ok={String(data.ok)}
              >
                <RunStatus run={data} />
              </div>
              <RunProgress run={data} />
              <Facts>
                <Fact name={t('Started')}>
                  <Moment value={data.startedAt} />
                </Fact>
                <Fact name={t('Ended')}>
                  <Moment value={data.finishedAt} />
                </Fact>
                <Fact name={t('By')}>
                  <span className="mono">{data.startedBy}</span>
                </Fact>
                {textOf(data.fault) && <Fact name={t('Fault')}>{textOf(data.fault)}</Fact>}
              </Facts>
            </Panel>
            {data.report && <ReportPanels report={data.report} />}
          </>
        )}
      </Answered>
    </Page>
  );
}

function ReportPanels({ report }: { readonly report: Report }) {
  const examined = Object.entries(report.examined as Record<string, number>);
  return (
    <>
      {report.warnings.length > 0 && (
        <Panel title={t('Warnings')}>
          {report.warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Panel>
      )}
      {report.divergences.length > 0 && (
        <Panel title={t('Divergences ({})', report.divergenceCount)} flush>
          <Table label={t('Divergences')} columns={divergenceColumns()} rows={report.divergences} />
        </Panel>
      )}
      <Panel title={t('Examined in {}', formatDuration(report.seconds * 1000))}>
        <Facts>
          {examined.map(([check, count]) => (
            <Fact key={check} name={check}>
              {formatCount(count)}
            </Fact>
          ))}
        </Facts>
      </Panel>
      <Panel title={t('Partitions')} flush>
        <Table
          label={t('Partitions')}
          columns={partitionColumns()}
          rows={report.partitions}
          rowKey={({ partition }) => partition}
        />
      </Panel>
    </>
  );
}

function divergenceColumns(): Column<Report['divergences'][number]>[] {
  return [
    { name: t('Check'), cell: ({ check }) => check },
    { name: t('Partition'), cell: ({ partition }) => partition },
    {
      name: t('Position'),
      cell: ({ partition, position }) =>
        position === null ? '–' : <Link to={`/ledger/partitions/${partition}?position=${position}`}>{position}</Link>,
    },
    { name: t('Subject'), cell: ({ subject }) => <span className="mono break">{textOf(subject) ?? '–'}</span> },
    { name: t('Field'), cell: ({ field }) => field },
    { name: t('Expected'), cell: ({ expected }) => <span className="mono break">{expected}</span> },
    { name: t('Found'), cell: ({ found }) => <span className="mono break">{found}</span> },
  ];
}

function partitionColumns(): Column<Report['partitions'][number]>[] {
  return [
    { name: t('Partition'), cell: ({ partition }) => partition },
    { name: t('Events'), number: true, cell: ({ events }) => formatCount(events) },
    { name: t('Sealed'), number: true, cell: ({ sealed }) => formatCount(sealed) },
    { name: t('Checkpoints'), number: true, cell: ({ checkpoints }) => formatCount(checkpoints) },
    { name: t('External checkpoints'), number: true, cell: ({ outside }) => formatCount(outside) },
    { name: t('Root'), wide: true, cell: ({ root }) => <Root value={root} /> },
  ];
}
