import type { InlineProjection, RecordedEvent } from '../event-store/index.js';
import { CashInRegistered } from './domain/events/cash-in.events.js';
import { CashOutRegistered } from './domain/events/cash-out.events.js';

/** An order id of an account that a cash-in or cash-out has. */
export interface Order {
  /** `<account uid>/<order id>`, the order id in NFC and trimmed */
  readonly key: string;
}

const UID_LENGTH = 36;
const WHOSE = `type in ('CashIn', 'CashOut') and order_id is not null`;

/**
 * As `orderKey` for a row, which has the order id as it was sent. Index `transaction_by_order_identity` has these very
 * words.
 */
const SPACES = String.raw`U&' \00a0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200a\2028\2029\202f\205f\3000\feff'`;
const IDENTITY = `btrim(normalize(order_id, NFC), ${SPACES})`;

/** Two order ids that a person cannot tell apart are one order: they are compared in NFC (UAX #15) and trimmed. */
export function orderKey(accountUid: string, orderId: string): string {
  return `${accountUid}/${orderId.normalize('NFC').trim()}`;
}

/**
 * Which orders an account has had, for partners whose orders must be unique. It is a view of the transactions, so it
 * writes no table of its own; it is read only where the setting is on, and costs nothing where it is off.
 */
export const orderProjection: InlineProjection<Order> = {
  name: 'orders',
  keysOf: (event: RecordedEvent) =>
    CashInRegistered.is(event) || CashOutRegistered.is(event)
      ? [orderKey(event.data.accountUid, event.data.orderId)]
      : [],
  evolve: (_order, _event, key) => ({ key }),
  keyOf: ({ key }) => key,
  parse: (row) => ({ key: row.key as string }),

  // Each order by itself, up to the first row: two `exists` were made into tables of all orders of the partition.
  load: (partition, keys) => ({
    name: 'order-load',
    text: `
      select n.account_uid || '/' || n.order_id as key
      from unnest($2::uuid[], $3::text[]) as n (account_uid, order_id)
      cross join lateral (
        (select from transaction
          where partition = $1 and account_uid = n.account_uid and order_id = n.order_id and ${WHOSE} limit 1)
        union all
        (select from transaction
          where partition = $1 and account_uid = n.account_uid and ${IDENTITY} = n.order_id
            and order_id <> ${IDENTITY} and ${WHOSE} limit 1)
        limit 1) as found`,
    values: [partition, keys.map((key) => key.slice(0, UID_LENGTH)), keys.map((key) => key.slice(UID_LENGTH + 1))],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'order-scan',
    text: `
      select distinct (account_uid || '/' || ${IDENTITY}) collate "C" as key
      from transaction
      where partition = $1 and ${WHOSE} and (account_uid || '/' || ${IDENTITY}) collate "C" > $2
      order by key limit $3`,
    values: [partition, afterKey ?? '', limit],
  }),

  save: () => [],
  remove: () => [],
};
