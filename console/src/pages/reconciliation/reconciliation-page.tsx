import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { answer, api, type Data } from '../../api/client.js';
import { useSession } from '../../app/session.js';
import { formatMoment, today } from '../../format/date.js';
import { formatCount } from '../../format/money.js';
import { type Phrase, t } from '../../i18n/index.js';
import { Page, Panel } from '../../ui/layout.js';
import { Answered, Empty } from '../../ui/states.js';
import { Money, Status } from '../../ui/values.js';
import { Scroll, Verbatim } from '../../ui/scroll.js';

type Day = Data<'/admin/reconciliation'>;

const MOVEMENTS = {
  PaymentIn: 'Deposits received',
  PaymentOut: 'Payouts sent',
  RefundIn: 'Refunds received',
  RefundOut: 'Refunds sent',
} as const satisfies Record<string, Phrase>;

/** A day's movements at the rail against the ledger's. */
export default function ReconciliationPage() {
  const { mayChange } = useSession();
  const [search, setSearch] = useSearchParams();
  const date = search.get('date') ?? today();
  const day = useQuery({
    queryKey: ['reconciliation', date],
    queryFn: () => answer(api.GET('/admin/reconciliation', { params: { query: { date } } })),
    enabled: mayChange,
  });
  if (!mayChange) {
    return (
      <Page title={t('Reconciliation')}>
        <Empty title={t('Only operators see this page.')} />
      </Page>
    );
  }
  return (
    <Page
      title={t('Reconciliation')}
      actions={
        <label className="row">
          {t('Day')}
          <input
            type="date"
            className="input date"
            value={date}
            onChange={({ target }) => target.value && setSearch({ date: target.value })}
          />
        </label>
      }
    >
      <Answered query={day}>{(data) => <DayPanels day={data} />}</Answered>
    </Page>
  );
}

function DayPanels({ day }: { readonly day: Day }) {
  const mismatches = day.mismatches as readonly unknown[];
  return (
    <>
      <Panel
        title={t('From {} to {}', formatMoment(day.from), formatMoment(day.to))}
        flush
        actions={
          day.matches ? <Status value={t('matches')} tone="good" /> : <Status value={t('does not match')} tone="bad" />
        }
      >
        <Scroll label={t('Reconciliation')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('Movement')}</th>
                <th scope="col" className="number">
                  {t('Rail, number')}
                </th>
                <th scope="col" className="number">
                  {t('Rail, volume')}
                </th>
                <th scope="col" className="number">
                  {t('Ledger, number')}
                </th>
                <th scope="col" className="number">
                  {t('Ledger, volume')}
                </th>
              </tr>
            </thead>
            <tbody>
              {(Object.keys(MOVEMENTS) as (keyof typeof MOVEMENTS)[]).map((name) => (
                <tr key={name}>
                  <th scope="row">{t(MOVEMENTS[name])}</th>
                  <td className="number">{formatCount(day.rail[name].count)}</td>
                  <td className="number">
                    <Money value={day.rail[name].amount} />
                  </td>
                  <td className="number">{formatCount(day.ledger[name].count)}</td>
                  <td className="number">
                    <Money value={day.ledger[name].amount} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </Panel>
      {mismatches.length > 0 && (
        <Panel title={t('What does not match ({})', day.mismatched)}>
          <Verbatim label={t('What does not match')}>{JSON.stringify(mismatches, null, 2)}</Verbatim>
        </Panel>
      )}
    </>
  );
}
