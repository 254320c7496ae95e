import { useQuery } from '@tanstack/react-query';
import { answer, api, type Item } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { formatDuration } from '../../format/date.js';
import { t } from '../../i18n/index.js';
import { Panel } from '../../ui/layout.js';
import { Answered, Empty } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Id, Moment, Status } from '../../ui/values.js';
import { CircuitState } from './circuit-state.js';
import { outcomeOf } from './outcome.js';
import { Redeliver } from './redeliver.js';

type Delivery = Item<'/audit/transactions/{id}/deliveries'>;

/** The webhook deliveries of a transaction with every attempt, read again every two seconds. */
export function TransactionDeliveries({ id }: { readonly id: string }) {
  const { mayChange } = useSession();
  const deliveries = useQuery({
    queryKey: ['deliveries', id],
    queryFn: () =>
      answer(api.GET('/audit/transactions/{id}/deliveries', { params: { path: { id }, query: { limit: 100 } } })),
    refetchInterval: 2_000,
  });
  return (
    <Panel title={t('Webhook deliveries')} flush>
      <Answered query={deliveries} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('No webhook deliveries.')} />
          ) : (
            <ul>
              {items.map((delivery) => (
                <li key={delivery.id}>
                  <OneDelivery delivery={delivery} mayChange={mayChange} />
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Panel>
  );
}

function OneDelivery({ delivery, mayChange }: { readonly delivery: Delivery; readonly mayChange: boolean }) {
  const { id, status, transactionState, url, nextAttemptAt, attempts, circuit } = delivery;
  return (
    <div className="panel-body" data-delivery={status}>
      <div className="row spread">
        <div className="row">
          <Status value={status} /> <span>{t('about')}</span> {transactionState && <Status value={transactionState} />}
          <span className="break muted">{url}</span> <CircuitState circuit={circuit} />
        </div>
        {mayChange && <Redeliver id={id} />}
      </div>
      <div className="row muted">
        <Id value={id} />
        {nextAttemptAt && (
          <span>
            {t('Next attempt')} <Moment value={nextAttemptAt} />
          </span>
        )}
      </div>
      {attempts.length > 0 && (
        <Table
          label={t('Attempts')}
          columns={attemptColumns()}
          rows={attempts}
          rowKey={({ number, startedAt }) => `${number}${startedAt}`}
        />
      )}
    </div>
  );
}

function attemptColumns(): Column<Delivery['attempts'][number]>[] {
  return [
    { name: t('Attempt'), cell: ({ number }) => number },
    { name: t('Started'), cell: ({ startedAt }) => <Moment value={startedAt} /> },
    { name: t('Duration'), number: true, cell: ({ durationMs }) => formatDuration(durationMs) },
    {
      name: t('Response'),
      cell: (attempt) => <span className="break">{outcomeOf(attempt)}</span>,
    },
  ];
}
