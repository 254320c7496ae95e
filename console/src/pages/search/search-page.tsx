import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearchParams } from 'react-router';
import { answer, api, type Data } from '../../api/client.js';
import { formatBankAccount } from '../../format/tax-number.js';
import { type Phrase, t } from '../../i18n/index.js';
import { Page, Panel } from '../../ui/layout.js';
import { Answered, Empty } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Id, Named, None, Status } from '../../ui/values.js';
import { transactionColumns } from '../transactions/transaction-columns.js';

type Found = Data<'/audit/search'>;

const FOUND_BY: Readonly<Record<string, Phrase>> = {
  id: 'Identifier',
  tail: 'End of the identifier',
  endToEndId: 'EndToEndId',
  orderId: 'Order',
  taxNumber: 'CPF or CNPJ',
  amount: 'Amount',
  accountNumber: 'Account number',
  name: 'Name',
};
const foundBy = (by: string) => t(FOUND_BY[by] ?? 'Identifier');

/** All matches of a text, in groups. A single match is opened. */
export default function SearchPage() {
  const [search] = useSearchParams();
  const text = search.get('q')?.trim() ?? '';
  const found = useQuery({
    queryKey: ['search', text],
    queryFn: () => answer(api.GET('/audit/search', { params: { query: { q: text } } })),
    enabled: text !== '',
  });
  const only = found.data && onlyMatch(found.data);
  if (only !== undefined) return <Navigate to={only} replace />;
  return (
    <Page title={t('Search: {}', text)}>
      {text !== '' && (
        <Answered query={found} lines={6}>
          {(data) => <Groups found={data} />}
        </Answered>
      )}
    </Page>
  );
}

/** The path of the only match; `undefined` for none or several, or when a partition did not answer. */
function onlyMatch({ transactions, partners, accounts, accessKeys, partitionsAway }: Found): string | undefined {
  const places = [
    ...transactions.flatMap(({ items }) => items.map(({ id }) => `/transactions/${id}`)),
    ...partners.map(({ uid }) => `/partners/${uid}`),
    ...accounts.map(({ uid }) => `/accounts/${uid}`),
    ...accessKeys.map(({ accountUid }) => `/accounts/${accountUid}?tab=keys`),
  ];
  const isAll = partitionsAway.length === 0 && transactions.every(({ more }) => !more);
  return isAll && places.length === 1 ? places[0] : undefined;
}

function Groups({ found }: { readonly found: Found }) {
  const { transactions, partners, accounts, accessKeys, partitionsAway } = found;
  const count = transactions.length + partners.length + accounts.length + accessKeys.length;
  return (
    <>
      {partitionsAway.length > 0 && (
        <div className="notice warn" role="status">
          {t('Partitions that did not answer: {}. The results are incomplete.', partitionsAway.join(', '))}
        </div>
      )}
      {count === 0 && (
        <Empty title={t('No results.')}>
          {t('An identifier or its end, an order, an EndToEndId, a CPF or CNPJ, an amount, an account or a name.')}
        </Empty>
      )}
      {partners.length > 0 && (
        <Panel title={t('Partners')} flush>
          <Table label={t('Partners')} columns={partnerColumns()} rows={partners} rowKey={({ uid }) => uid} />
        </Panel>
      )}
      {accounts.length > 0 && (
        <Panel title={t('Accounts')} flush>
          <Table label={t('Accounts')} columns={accountColumns()} rows={accounts} rowKey={({ uid }) => uid} />
        </Panel>
      )}
      {accessKeys.length > 0 && (
        <Panel title={t('Access keys')} flush>
          <Table label={t('Access keys')} columns={keyColumns()} rows={accessKeys} rowKey={(one) => one.accessKey} />
        </Panel>
      )}
      {transactions.map(({ by, value, items, more }) => {
        const title = `${t('Transactions')} · ${foundBy(by)}`;
        return (
          <Panel
            key={`${by}${value}`}
            title={title}
            flush
            actions={more && <Link to={`/transactions?${new URLSearchParams({ [by]: value })}`}>{t('Show all')}</Link>}
          >
            <Table label={title} columns={transactionColumns()} rows={items} rowKey={({ id }) => id} />
          </Panel>
        );
      })}
    </>
  );
}

function partnerColumns(): Column<Found['partners'][number]>[] {
  return [
    { name: t('Name'), cell: ({ uid, name }) => <Named uid={uid} name={name} to={`/partners/${uid}`} /> },
    { name: t('Found by'), cell: ({ by }) => foundBy(by) },
    { name: t('Id'), wide: true, cell: ({ uid }) => <Id value={uid} to={`/partners/${uid}`} short /> },
  ];
}

function accountColumns(): Column<Found['accounts'][number]>[] {
  return [
    { name: t('Name'), cell: ({ uid, name }) => <Named uid={uid} name={name} to={`/accounts/${uid}`} /> },
    { name: t('Status'), cell: ({ status }) => <Status value={status} /> },
    { name: t('Branch / account'), cell: ({ branch, number, digit }) => formatBankAccount(branch, number, digit) },
    {
      name: t('Partner'),
      wide: true,
      cell: ({ partnerUid, partnerName }) => (
        <Named uid={partnerUid} name={partnerName} to={`/partners/${partnerUid}`} />
      ),
    },
    { name: t('Found by'), wide: true, cell: ({ by }) => foundBy(by) },
    { name: t('Id'), wide: true, cell: ({ uid }) => <Id value={uid} to={`/accounts/${uid}`} short /> },
  ];
}

function keyColumns(): Column<Found['accessKeys'][number]>[] {
  return [
    {
      name: t('Access key'),
      cell: ({ accessKey, accountUid }) => <Id value={accessKey} to={`/accounts/${accountUid}?tab=keys`} short />,
    },
    { name: t('Name'), cell: ({ name }) => <span className="break">{name ?? <None />}</span> },
    { name: t('Status'), cell: ({ status }) => <Status value={status} /> },
    { name: t('Found by'), wide: true, cell: ({ by }) => foundBy(by) },
  ];
}
