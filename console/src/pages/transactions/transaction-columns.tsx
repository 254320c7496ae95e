import { Link } from 'react-router';
import type { Item } from '../../api/client.js';
import { t, word } from '../../i18n/index.js';
import type { Column } from '../../ui/table.js';
import { Id, Moment, Money, Named, None, Status } from '../../ui/values.js';

type Transaction = Item<'/audit/transactions'>;

/** The columns of every list of transactions. */
export function transactionColumns(): Column<Transaction>[] {
  return [
    { name: t('Registered'), cell: ({ registeredAt }) => <Moment value={registeredAt} /> },
    { name: t('Kind'), cell: ({ id, type }) => <Link to={`/transactions/${id}`}>{word(type)}</Link> },
    { name: t('State'), cell: ({ state }) => <Status value={state} /> },
    { name: t('Amount'), number: true, cell: ({ amount }) => <Money value={amount} /> },
    {
      name: t('Account'),
      wide: true,
      cell: ({ accountUid, accountName }) => (
        <Named uid={accountUid} name={accountName} to={`/accounts/${accountUid}`} />
      ),
    },
    { name: t('Counterparty'), wide: true, cell: (transaction) => <Counterparty of={transaction} /> },
    {
      name: t('Partner'),
      wide: true,
      cell: ({ partnerUid, partnerName }) => (
        <Named uid={partnerUid} name={partnerName} to={`/partners/${partnerUid}`} />
      ),
    },
    { name: t('Order'), wide: true, cell: ({ orderId }) => <span className="break">{orderId ?? <None />}</span> },
    { name: t('Id'), wide: true, cell: ({ id }) => <Id value={id} to={`/transactions/${id}`} short /> },
  ];
}

interface Sides {
  readonly counterpartyUid: string | null;
  readonly counterpartyName: string | null;
}

/** The other account of a transfer, or the payer or recipient of a payment. */
export function Counterparty({ of: { counterpartyUid, counterpartyName } }: { readonly of: Sides }) {
  if (counterpartyUid !== null) {
    return <Named uid={counterpartyUid} name={counterpartyName} to={`/accounts/${counterpartyUid}`} />;
  }
  return counterpartyName === null ? <None /> : <span className="break">{counterpartyName}</span>;
}
