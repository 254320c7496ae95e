import { Link, useSearchParams } from 'react-router';
import { answer, api } from '../../api/client.js';
import { useNames } from '../../api/names.js';
import { usePages } from '../../api/pages.js';
import { type Phrase, t } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Choice } from '../../ui/fields.js';
import { Page, Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Moment, Money, Named, None } from '../../ui/values.js';
import { type Case, CaseState, Deadline, STATES } from './case-state.js';

const FILTERS = Object.entries(STATES) as [Case['status'], Phrase][];

/** Deposits that their payers report as fraud (MED), newest first. The filter is part of the URL. */
export default function CasesPage() {
  const [search, setSearch] = useSearchParams();
  const status = FILTERS.find(([one]) => one === search.get('status'))?.[0];
  const cases = usePages(
    ['med-cases', status],
    (cursor) => answer(api.GET('/audit/med', { params: { query: { status, limit: 100, cursor } } })),
    { live: 5_000 },
  );
  const names = useNames(cases.rows.map(({ accountUid }) => accountUid));
  return (
    <Page title={t('MED cases')}>
      <Panel
        title={t('Cases')}
        flush
        actions={
          <Choice<Case['status'] | ''>
            label={t('Status')}
            value={status ?? ''}
            options={[['', t('Any status')], ...FILTERS.map(([one, name]) => [one, t(name)] as const)]}
            onChange={(next) => setSearch(next === '' ? {} : { status: next })}
          />
        }
      >
        <DataTable
          label={t('Cases')}
          pages={cases}
          columns={columns(names)}
          rowKey={({ id }) => id}
          empty={t('No cases.')}
        />
      </Panel>
    </Page>
  );
}

function columns(names: ReadonlyMap<string, string>): Column<Case>[] {
  return [
    {
      name: t('Reported'),
      cell: ({ id, reportedAt }) => (
        <Link to={`/med/${id}`}>
          <Moment value={reportedAt} />
        </Link>
      ),
    },
    { name: t('State'), cell: ({ status }) => <CaseState status={status} /> },
    { name: t('Decide by'), cell: (one) => <Deadline of={one} /> },
    {
      name: t('Account'),
      cell: ({ accountUid }) => <Named uid={accountUid} name={names.get(accountUid)} to={`/accounts/${accountUid}`} />,
    },
    {
      name: t('Deposit'),
      wide: true,
      cell: ({ transactionId }) => <Link to={`/transactions/${transactionId}`}>{t('Open')}</Link>,
    },
    { name: t('Amount asked'), number: true, cell: ({ amount }) => <Money value={amount} /> },
    { name: t('Blocked now'), number: true, cell: ({ blocked }) => <Money value={blocked} /> },
    {
      name: t('Agreed'),
      number: true,
      wide: true,
      cell: ({ agreed }) => (agreed ? <Money value={agreed} /> : <None />),
    },
    { name: t('Given back'), number: true, cell: ({ returned }) => <Money value={returned} /> },
  ];
}
