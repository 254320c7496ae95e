import { Link, useSearchParams } from 'react-router';
import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { t, word } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Page, Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Id, Moment, Money, None, Status } from '../../ui/values.js';
import { type Filters, readFilters, toQuery } from './filters.js';
import { FilterForm } from './filter-form.js';

type Transaction = Item<'/audit/transactions'>;

/** Search and list in one: every filter stands in the address, so that a result can be shared. */
export default function TransactionsPage() {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const transactions = usePages(
    ['transactions', filters],
    (cursor) =>
      answer(api.GET('/audit/transactions', { params: { query: { ...toQuery(filters), limit: 100, cursor } } })),
    { live: 3_000 },
  );
  const apply = (next: Filters) => setSearch(next);
  return (
    <Page title={t('Transactions')}>
      <Panel title={t('Search')}>
        <FilterForm key={search.toString()} filters={filters} onApply={apply} />
      </Panel>
      <Panel title={Object.keys(filters).length === 0 ? t('All transactions') : t('Found')} flush>
        <DataTable
          label={t('Transactions')}
          pages={transactions}
          columns={columns()}
          rowKey={({ id }) => id}
          empty={t('No transaction fits.')}
        />
      </Panel>
    </Page>
  );
}

function columns(): Column<Transaction>[] {
  return [
    { name: t('Registered'), cell: ({ registeredAt }) => <Moment value={registeredAt} /> },
    { name: t('Kind'), cell: ({ id, type }) => <Link to={`/transactions/${id}`}>{word(type)}</Link> },
    { name: t('State'), cell: ({ state }) => <Status value={state} /> },
    { name: t('Amount'), number: true, cell: ({ amount }) => <Money value={amount} /> },
    { name: t('Order'), wide: true, cell: ({ orderId }) => <span className="break">{orderId ?? <None />}</span> },
    {
      name: t('Account'),
      wide: true,
      cell: ({ accountUid }) => <Id value={accountUid} to={`/accounts/${accountUid}`} short />,
    },
    { name: t('Id'), wide: true, cell: ({ id }) => <Id value={id} to={`/transactions/${id}`} short /> },
  ];
}
