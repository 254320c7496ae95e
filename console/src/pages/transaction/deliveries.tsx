import { useQuery } from '@tanstack/react-query';
import { answer, api, type Item } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { formatDuration } from '../../format/date.js';
import { t } from '../../i18n/index.js';
import { Panel } from '../../ui/layout.js';
import { Answered, Empty } from '../../ui/states.js';
import { Id, Moment, Status } from '../../ui/values.js';
import { Redeliver } from './redeliver.js';
import { Scroll } from '../../ui/scroll.js';

type Delivery = Item<'/audit/transactions/{id}/deliveries'>;

/** Every notification of a transaction with every attempt, live. */
export function Deliveries({ id }: { readonly id: string }) {
  const { mayChange } = useSession();
  const deliveries = useQuery({
    queryKey: ['deliveries', id],
    queryFn: () =>
      answer(api.GET('/audit/transactions/{id}/deliveries', { params: { path: { id }, query: { limit: 100 } } })),
    refetchInterval: 2_000,
  });
  return (
    <Panel title={t('Notifications')} flush>
      <Answered query={deliveries} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('No notification was due.')} />
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
  const { id, status, transactionState, url, nextAttemptAt, attempts } = delivery;
  return (
    <div className="panel-body" data-delivery={status}>
      <div className="row spread">
        <div className="row">
          <Status value={status} /> <span>{t('about')}</span> <Status value={transactionState} />
          <span className="break muted">{url}</span>
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
        <Scroll label={t('Attempts')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('Attempt')}</th>
                <th scope="col">{t('Started')}</th>
                <th scope="col" className="number">
                  {t('Took')}
                </th>
                <th scope="col">{t('Answer')}</th>
              </tr>
            </thead>
            <tbody>
              {attempts.map(({ number, startedAt, durationMs, httpStatus, error }) => (
                <tr key={`${number}${startedAt}`}>
                  <td>{number}</td>
                  <td>
                    <Moment value={startedAt} />
                  </td>
                  <td className="number">{durationMs === null ? '–' : formatDuration(durationMs)}</td>
                  <td className="break">
                    {[httpStatus && `HTTP ${httpStatus}`, error].filter(Boolean).join(' · ') || '–'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </div>
  );
}
