import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { answer, api, type Item } from '../../api/client.js';
import { t } from '../../i18n/index.js';
import { Panel } from '../../ui/layout.js';
import { useOnce } from '../../ui/once.js';
import { Answered, Failure } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Moment } from '../../ui/values.js';
import { RunProgress, RunStatus } from './run-status.js';

type Run = Item<'/audit/verifications'>;

/** Starts a verification of the whole ledger and lists the newest ones. It only reads, so auditors may start one. */
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
    onSettled: () => client.invalidateQueries({ queryKey: ['verifications'] }),
  });
  const once = useOnce();
  // Who has gone to another page meanwhile is left there.
  const open = ({ id }: Pick<Run, 'id'>) => void navigate(`/ledger/verifications/${id}`);
  const verify = () => once((ended) => start.mutate(undefined, { onSuccess: open, onSettled: ended }));
  const isRunning = runs.data?.items.some(({ status }) => status === 'Running') ?? false;
  return (
    <Panel
      title={t('Verifications')}
      flush
      actions={
        <button type="button" className="button primary small" disabled={isRunning || start.isPending} onClick={verify}>
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
        {({ items }) => (
          <Table
            label={t('Verifications')}
            columns={columns()}
            rows={items}
            rowKey={({ id }) => id}
            empty={t('No verification yet.')}
          />
        )}
      </Answered>
    </Panel>
  );
}

function columns(): Column<Run>[] {
  return [
    {
      name: t('Started'),
      cell: ({ id, startedAt }) => (
        <Link to={`/ledger/verifications/${id}`}>
          <Moment value={startedAt} />
        </Link>
      ),
    },
    { name: t('Result'), cell: (run) => <RunStatus run={run} /> },
    { name: t('By'), wide: true, cell: ({ startedBy }) => <span className="mono break">{startedBy}</span> },
    { name: t('Progress'), cell: (run) => <RunProgress run={run} /> },
  ];
}
