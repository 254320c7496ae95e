import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { answer, api } from '../../api/client.js';
import type { Transaction } from '../../api/views.js';
import { formatMoney } from '../../format/money.js';
import { t, word } from '../../i18n/index.js';
import { Page, Panel, Tile } from '../../ui/layout.js';
import { Answered } from '../../ui/states.js';
import { type Column, Table } from '../../ui/table.js';
import { Id, Moment, Money, Named, Status } from '../../ui/values.js';
import { TransactionDeliveries } from '../deliveries/transaction-deliveries.js';
import { EventHistory } from './event-history.js';
import { TransactionDetails } from './transaction-details.js';

/** One transaction: its details, its events with the proof that they are sealed, and its webhook deliveries. */
export default function TransactionPage() {
  const id = useParams()['id']!;
  const transaction = useQuery({
    queryKey: ['transaction', id],
    queryFn: () => answer(api.GET('/audit/transactions/{id}', { params: { path: { id } } })),
    refetchInterval: 2_000,
  });
  const { data } = transaction;
  return (
    <Page
      title={data ? `${word(data.type)} · ${formatMoney(data.amount)}` : t('Transaction')}
      heading={
        data && (
          <span className="row">
            {word(data.type)} <Status value={data.state} />
          </span>
        )
      }
      crumbs={[['/transactions', t('Transactions')]]}
    >
      <Answered query={transaction}>
        {(found) => (
          <>
            <div className="tiles">
              <Tile
                name={t('Amount')}
                value={<Money value={found.amount} />}
                note={t('charge {}', formatMoney(found.charges))}
              />
              <Tile
                name={t('State')}
                value={<Status value={found.state} />}
                note={<Moment value={found.changedAt} />}
              />
              <Tile name={t('Order')} value={<span className="break">{found.orderId ?? '–'}</span>} />
              <Tile
                name={t('Account')}
                value={<Named uid={found.accountUid} name={found.accountName} to={`/accounts/${found.accountUid}`} />}
              />
            </div>
            <TransactionDetails transaction={found} />
            <EventHistory id={id} state={found.state} partition={found.partition} />
            <TransactionDeliveries id={id} />
            {found.refunds.length > 0 && <Refunds refunds={found.refunds} />}
          </>
        )}
      </Answered>
    </Page>
  );
}

function Refunds({ refunds }: { readonly refunds: Transaction['refunds'] }) {
  return (
    <Panel title={t('Refunds')} flush>
      <Table label={t('Refunds')} columns={refundColumns()} rows={refunds} rowKey={({ id }) => id} />
    </Panel>
  );
}

function refundColumns(): Column<Transaction['refunds'][number]>[] {
  return [
    {
      name: t('Registered'),
      cell: ({ id, registeredAt }) => (
        <Link to={`/transactions/${id}`}>
          <Moment value={registeredAt} />
        </Link>
      ),
    },
    { name: t('State'), cell: ({ state }) => <Status value={state} /> },
    { name: t('Amount'), number: true, cell: ({ amount }) => <Money value={amount} /> },
    { name: t('Id'), cell: ({ id }) => <Id value={id} to={`/transactions/${id}`} short /> },
  ];
}
