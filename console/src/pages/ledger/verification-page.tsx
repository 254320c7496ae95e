import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { answer, api, type Data, textOf } from '../../api/client.js';
import { formatDuration } from '../../format/date.js';
import { formatCount } from '../../format/money.js';
import { t } from '../../i18n/index.js';
import { Fact, Facts, Page, Panel } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { Moment } from '../../ui/values.js';
import { RunProgress, RunStatus } from './run-status.js';
import { Scroll } from '../../ui/scroll.js';

type Run = Data<'/audit/verifications/{id}'>;
type Report = NonNullable<Run['report']>;

/** One verification: how far it is, and at its end what it found. */
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
            <Panel title={t('Progress')}>
              <div data-verification={data.status} data-ok={String(data.ok)}>
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
      {report.divergences.length > 0 && (
        <Panel title={t('What diverges ({})', report.divergenceCount)} flush>
          <Scroll label={t('What diverges')}>
            <table className="table">
              <thead>
                <tr>
                  {[t('Check'), t('Partition'), t('Position'), t('Subject'), t('Field'), t('Expected'), t('Found')].map(
                    (name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ),
                  )}
                </tr>
              </thead>
              <tbody>
                {report.divergences.map((one, i) => (
                  <tr key={i}>
                    <td>{one.check}</td>
                    <td>{one.partition}</td>
                    <td>{one.position ?? '–'}</td>
                    <td className="mono break">{textOf(one.subject) ?? '–'}</td>
                    <td>{one.field}</td>
                    <td className="mono break">{one.expected}</td>
                    <td className="mono break">{one.found}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </Panel>
      )}
      <Panel title={t('What was examined in {}', formatDuration(report.seconds * 1000))}>
        <Facts>
          {examined.map(([check, count]) => (
            <Fact key={check} name={check}>
              {formatCount(count)}
            </Fact>
          ))}
        </Facts>
      </Panel>
      <Panel title={t('Partitions')} flush>
        <Scroll label={t('Partitions')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('Partition')}</th>
                <th scope="col" className="number">
                  {t('Events')}
                </th>
                <th scope="col" className="number">
                  {t('Sealed')}
                </th>
                <th scope="col" className="number">
                  {t('Checkpoints')}
                </th>
                <th scope="col" className="wide">
                  {t('Root')}
                </th>
              </tr>
            </thead>
            <tbody>
              {report.partitions.map(({ partition, events, sealed, checkpoints, root }) => (
                <tr key={partition}>
                  <td>{partition}</td>
                  <td className="number">{formatCount(events)}</td>
                  <td className="number">{formatCount(sealed)}</td>
                  <td className="number">{formatCount(checkpoints)}</td>
                  <td className="mono break wide">{root}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </Panel>
    </>
  );
}
