import { useSearchParams } from 'react-router';
import { answer, api } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { t } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { Page, Panel } from '../../ui/layout.js';
import { transactionColumns } from './transaction-columns.js';
import { type Filters, readFilters, toQuery } from './filters.js';
import { FilterForm } from './filter-form.js';

/** Search and list. Filters are part of the URL, so that a result can be shared. */
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
          columns={transactionColumns()}
          rowKey={({ id }) => id}
          empty={t('No transaction matches.')}
        />
      </Panel>
    </Page>
  );
}
