import { originKeyOf } from '../../src/webhooks/domain/delivery.js';

/**
 * Fills a database with transactions as a long life would have left them, by plain SQL: rows of the log, of the views
 * and of the deliveries, for measuring how lists are read. Nothing is hashed: no verification would pass.
 */
export interface Volume {
  readonly transactions: number;
  /** Accounts of partners that exist; the first has two in five of all transactions of its partition. */
  readonly accounts: readonly { readonly uid: string; readonly partner: string; readonly partition: number }[];
  /** A data subject of each partition that paid or was paid in a tenth of the payments. */
  readonly subjects: ReadonlyMap<number, string>;
}

type Run = (text: string, values?: unknown[]) => Promise<unknown>;

const HOOK = 'https://partner.example/hook';
/** Days that the transactions are spread over. */
const DAYS = 30;

/** The tables that grow with the history: no list may read one of them through. */
export const GROWING = [
  'event',
  'transaction',
  'transaction_search',
  'transaction_subject',
  'transaction_total',
  'entry',
  'webhook_delivery',
  'directory_word',
];

export async function fillVolume(run: Run, { transactions, accounts, subjects }: Volume): Promise<void> {
  const partitions = [...new Set(accounts.map(({ partition }) => partition))];
  for (const partition of partitions) {
    const own = accounts.filter((account) => account.partition === partition);
    const count = Math.floor(transactions / partitions.length);
    await fillPartition(run, partition, count, own, subjects.get(partition)!);
  }
  await run('analyze');
}

async function fillPartition(
  run: Run,
  partition: number,
  count: number,
  accounts: Volume['accounts'],
  subject: string,
): Promise<void> {
  await run('drop table if exists made');
  await run(
    `create table made as
     with one as (
       select i, (select position from log_head where partition = $1) + i as position,
         date_trunc('milliseconds', now() - make_interval(days => $5) + make_interval(secs => i * $5 * 86400.0 / $2)) as time,
         md5(i::text || '/' || $1::text) as hash,
         abs(hashint8(i) % 100) as dice, abs(hashint8(i + 1000000007) % 1000) as chance,
         (case when (i * 31) % 5 < 2 then 1 else 1 + (i * 613) % array_length($3::uuid[], 1) end)::int as owner
       from generate_series(1, $2::bigint) as i
     )
     select i, position, time, dice, chance,
       (lpad(to_hex((extract(epoch from time) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex($1::int), 3, '0')
         || '8' || substr(hash, 1, 15))::uuid as id,
       ($3::uuid[])[owner] as account_uid, ($4::uuid[])[owner] as partner_uid,
       ($3::uuid[])[1 + owner % array_length($3::uuid[], 1)] as counterparty,
       case when dice < 60 then 'Transfer' when dice < 80 then 'CashIn' when dice < 98 then 'CashOut' else 'Refund' end as type,
       case when dice < 60 or chance > 20 then 'Completed' when chance > 8 then 'Error' when chance > 5 then 'Cancelled'
         when chance > 3 then 'Reversed' else 'Registered' end as state,
       case when chance % 2 = 0 then 100 else 100 + (i * 37) % 1000000 end::bigint as amount
     from one`,
    [partition, count, accounts.map(({ uid }) => uid), accounts.map(({ partner }) => partner), DAYS],
  );
  await run(
    `insert into event (partition, position, event_id, stream, version, type, schema_version, time, data, metadata, leaf)
     select $1, position, id, 'transfer-' || id, 1, 'TransferSettled', 1, time, '{}', '{}', ''::bytea from made`,
    [partition],
  );
  await run(
    `insert into transaction (partition, id, type, state, account_uid, counterparty_uid, amount, charges, order_id,
       end_to_end_id, refund_of, error_reason, state_dates, details, position, version, entry, balance,
       counterparty_entry, counterparty_balance)
     select $1, id, type, state, account_uid, case when type = 'Transfer' then counterparty end, amount, 0,
       case when type = 'Transfer' then null when chance < 100 then 'same-order' else 'order-' || i end,
       case when type <> 'Transfer' then 'E' || lpad(i::text, 31, '0') end, null, null,
       json_build_object(case when type = 'Transfer' then 'Completed' else 'Registered' end, time, state, time), null,
       position, 1, numbers.entry, numbers.entry, numbers.entry, numbers.entry
     from made cross join lateral (select case when type = 'Transfer' then position::int end as entry) as numbers`,
    [partition],
  );
  await run(
    `insert into transaction_search (partition, id, partner_uid, type, state, amount, order_id, refund_of, registered_at,
       position, version, changes, changed_position)
     select $1, t.id, m.partner_uid, t.type, t.state, t.amount, t.order_id, null, m.time, t.position, 1, 1, t.position
     from made m join transaction t on t.partition = $1 and t.id = m.id
     where not (t.type = 'Transfer' and t.state = 'Completed')`,
    [partition],
  );
  await run(
    `insert into transaction_subject (partition, subject, id)
     select $1, case when chance % 10 = 0 then $2 else gen_random_uuid() end, id from made where type <> 'Transfer'`,
    [partition, subject],
  );
  await run(
    `insert into transaction_total (partition, step, at, type, state, latency, count, amount)
     select $1, step, date_trunc(step, time), type, state, case when type = 'Transfer' then -1 else 40 + chance % 30 end,
       count(*), sum(amount)
     from made cross join unnest(array['minute', 'hour', 'day']) as step
     group by 2, 3, 4, 5, 6
     on conflict (partition, step, at, type, state, latency) do nothing`,
    [partition],
  );
  await run(
    `insert into entry (partition, account_uid, number, position, bucket, amount, balance, kind, transaction_id,
       description, time)
     select $1, account_uid, position::int, position, case when chance % 50 = 0 then 'held' else 'available' end, amount,
       i * 100, type, id, null, time
     from made where type <> 'Transfer'`,
    [partition],
  );
  const partners = [...new Set(accounts.map(({ partner }) => partner))];
  await run(
    `insert into webhook_delivery (partition, id, position, chain, transaction_id, transaction_state, account_uid,
       partner_uid, lane, url, material, status, attempts)
     select $1, gen_random_uuid(), position, id, id, state, account_uid, partner_uid,
       (select lane from unnest($3::uuid[], $4::uuid[]) as one (partner, lane) where partner = partner_uid), $2, '{}',
       case when chance < 10 then 'Exhausted' else 'Delivered' end, '[]'
     from made where type <> 'Transfer'`,
    [partition, HOOK, partners, partners.map((partner) => originKeyOf(partner, HOOK))],
  );
  await run('drop table made');
  await run(
    `update log_head set position = (select max(position) from event where partition = $1),
       time = (select time from event where partition = $1 order by position desc limit 1)
     where partition = $1`,
    [partition],
  );
}

/** Every list and figure of the console, with the filters that are hardest on it. */
export function listsOf({ accounts, taxNumber }: { accounts: Volume['accounts']; taxNumber: string }): string[] {
  const [hot, cold] = [accounts[0]!, accounts.at(-1)!];
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const searches = [
    '',
    'state=Registered',
    'state=Reversed&type=Refund',
    'type=CashIn',
    `from=${ago(20)}&to=${ago(19)}`,
    `from=${ago(3_000)}&to=${ago(2_000)}`,
    `partner=${hot.partner}`,
    `partner=${hot.partner}&state=Reversed&type=Refund`,
    `partner=${cold.partner}&state=Error&to=${ago(10)}`,
    `account=${hot.uid}`,
    `account=${hot.uid}&state=Reversed`,
    `account=${hot.uid}&from=${ago(20)}&to=${ago(19)}`,
    `account=${cold.uid}&amount=1.00`,
    'amount=1.00',
    'amount=1.00&state=Reversed&type=Refund',
    `amount=1.00&partner=${cold.partner}&type=CashOut`,
    `amount=1.00&to=${ago(15)}`,
    'amount=123456.78',
    'orderId=same-order',
    'orderId=same-order&state=Reversed&type=Refund',
    `orderId=same-order&partner=${cold.partner}`,
    'orderId=order-4711',
    'endToEndId=E0000000000000000000000000004711',
    `taxNumber=${taxNumber}`,
    `taxNumber=${taxNumber}&state=Reversed&type=Refund`,
    `taxNumber=${taxNumber}&partner=${cold.partner}&to=${ago(15)}`,
  ].map((query) => `/audit/transactions?limit=100&${query}`);
  const ofHot = [
    '',
    '/statement?limit=100',
    `/statement?limit=100&from=${ago(20)}&to=${ago(19)}`,
    '/balances?points=500',
    `/balances?points=200&from=${ago(20)}&to=${ago(10)}`,
    `/balance?at=${ago(15)}`,
    '/access-keys',
    '/events?limit=100',
  ].map((path) => `/audit/accounts/${hot.uid}${path}`);
  const deliveries = `/admin/accounts/${hot.uid}/webhooks/deliveries?limit=100`;
  const found = ['same-order', '1.00', taxNumber, hot.uid, `…${hot.uid.slice(-12)}`, 'loja teste', '100001'].map(
    (text) => `/audit/search?q=${encodeURIComponent(text)}`,
  );
  return [
    ...searches,
    ...found,
    `/audit/names?uids=${accounts.slice(0, 100).map(({ uid }) => uid)}`,
    ...ofHot,
    '/audit/overview',
    '/audit/overview/latency',
    `/audit/overview/latency?from=${ago(14)}`,
    `/audit/overview?from=${ago(0.25)}`,
    `/audit/overview?from=${ago(14)}`,
    `/audit/overview?from=${ago(31)}`,
    '/audit/partners?limit=100',
    `/audit/partners/${hot.partner}/accounts?limit=100`,
    deliveries,
    `${deliveries}&status=Exhausted`,
    '/admin/webhooks/deliveries?limit=100',
    '/admin/webhooks/deliveries?limit=100&status=Exhausted&host=partner.example',
    '/audit/partitions',
    '/audit/verifications',
    '/audit/events?partition=1&limit=100',
  ];
}
