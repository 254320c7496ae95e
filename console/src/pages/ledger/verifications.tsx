import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { answer, api } from '../../api/client.js';
import { t } from '../../i18n/index.js';
import { Panel } from '../../ui/layout.js';
import { Answered, Empty, Failure } from '../../ui/states.js';
import { Moment } from '../../ui/values.js';
import { RunProgress, RunStatus } from './run-status.js';
import { Scroll } from '../../ui/scroll.js';

/** Starts a verification of the whole ledger and lists the newest ones. It reads, and changes nothing: auditors may too. */
export function Verifications() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const runs = useQuery({
    queryKey: ['verifications'],
    queryFn: () => answer(api.GET('/audit/verifications')),
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'Running') ? 1_000 : 10_000),
  });
  const start = useMutation({
    mutationFn: () => answer(api.POST('/audit/verifications')),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['verifications'] });
      await navigate(`/ledger/verifications/${id}`);
    },
  });
  const isRunning = runs.data?.items.some(({ status }) => status === 'Running') ?? false;
  return (
    <Panel
      title={t('Verifications')}
      flush
      actions={
        <button
          type="button"
          className="button primary small"
          disabled={isRunning || start.isPending}
          onClick={() => start.mutate()}
        >
          {t('Verify the ledger')}
        </button>
      }
    >
      {start.error && (
        <div className="panel-body">
          <Failure error={start.error} />
        </div>
      )}
      <Answered query={runs}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('The ledger was not verified from here yet.')} />
          ) : (
            <Scroll label={t('Verifications')}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t('Started')}</th>
                    <th scope="col">{t('Result')}</th>
                    <th scope="col" className="wide">
                      {t('By')}
                    </th>
                    <th scope="col">{t('Progress')}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((run) => (
                    <tr key={run.id}>
                      <td>
                        <Link to={`/ledger/verifications/${run.id}`}>
                          <Moment value={run.startedAt} />
                        </Link>
                      </td>
                      <td>
                        <RunStatus run={run} />
                      </td>
                      <td className="wide mono break">{run.startedBy}</td>
                      <td>
                        <RunProgress run={run} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )
        }
      </Answered>
    </Panel>
  );
}
