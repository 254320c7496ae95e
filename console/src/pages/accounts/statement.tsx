import { useState } from 'react';
import { Link } from 'react-router';
import { answer, api, type Item } from '../../api/client.js';
import { usePages } from '../../api/pages.js';
import { startOfDay } from '../../format/date.js';
import { t, word } from '../../i18n/index.js';
import { DataTable } from '../../ui/data-table.js';
import { LATEST_DAY } from '../../ui/fields.js';
import { Panel } from '../../ui/layout.js';
import type { Column } from '../../ui/table.js';
import { Moment, Money, None } from '../../ui/values.js';

type Entry = Item<'/audit/accounts/{uid}/statement'>;

/** Entries on the available balance, newest first, each with the balance after it. */
export function Statement({ uid }: { readonly uid: string }) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const query = { from: from ? startOfDay(from) : undefined, to: to ? startOfDay(to, 1) : undefined };
  const entries = usePages(
    ['statement', uid, from, to],
    (cursor) =>
      answer(
        api.GET('/audit/accounts/{uid}/statement', {
          params: { path: { uid }, query: { ...query, limit: 100, cursor } },
        }),
      ),
    { live: 3_000 },
  );
  return (
    <Panel
      title={t('Statement')}
      flush
      actions={
        <>
          <input
            className="input date"
            type="date"
            max={LATEST_DAY}
            aria-label={t('From')}
            value={from}
            onChange={({ target }) => setFrom(target.value)}
          />
          <span aria-hidden>–</span>
          <input
            className="input date"
            type="date"
            max={LATEST_DAY}
            aria-label={t('To')}
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
        </>
      }
    >
      <DataTable
        label={t('Statement')}
        pages={entries}
        columns={columns()}
        rowKey={({ id }) => id}
        empty={t('No entries in this period.')}
      />
    </Panel>
  );
}

function columns(): Column<Entry>[] {
  return [
    { name: t('Date'), cell: ({ date }) => <Moment value={date} /> },
    {
      name: t('Kind'),
      cell: ({ kind, transactionId }) =>
        transactionId === null ? word(kind) : <Link to={`/transactions/${transactionId}`}>{word(kind)}</Link>,
    },
    {
      name: t('Description'),
      wide: true,
      cell: ({ description }) => <span className="break">{description || <None />}</span>,
    },
    { name: t('Counterparty'), cell: ({ counterpartyName }) => counterpartyName ?? <None /> },
    { name: t('Amount'), number: true, cell: ({ amount }) => <Money value={amount} signed /> },
    { name: t('Balance after'), number: true, cell: ({ balanceAfter }) => <Money value={balanceAfter} /> },
  ];
}
