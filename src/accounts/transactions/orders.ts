import type { InlineProjection } from '../../event-store/index.js';

/** An order of an account that some cash-in or cash-out carries. */
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

/** Not ASCII, or with spaces around it: what is neither is its own identity. The index has these words too. */
const MAY_DIFFER = 'octet_length(order_id) <> char_length(btrim(order_id))';

/** Two order ids that a person cannot tell apart are one order: they are compared in NFC (UAX #15) and trimmed. */
export function orderIdentity(orderId: string): string {
  return orderId.normalize('NFC').trim();
}

export function orderKey(accountUid: string, orderId: string): string {
  return `${accountUid}/${orderIdentity(orderId)}`;
}

/** SQL: the two sets of rows that have an order, by its identity. Each has an index of its own. */
export const isOfOrder = (identity: string) =>
  [`order_id = ${identity} and not (${MAY_DIFFER})`, `${IDENTITY} = ${identity} and ${MAY_DIFFER}`] as const;

/** How orders are read of the transactions: they have no table of their own. */
export const orderReads: Pick<InlineProjection<Order>, 'keyOf' | 'parse' | 'load' | 'scan'> = {
  keyOf: ({ key }) => key,
  parse: (row) => ({ key: row.key as string }),

  // Each order by itself, up to the first row: two `exists` were made into tables of all orders of the partition.
  load: (partition, keys) => ({
    name: 'order-load',
    text: `
      select n.account_uid || '/' || n.order_id as key
      from unnest($2::uuid[], $3::text[]) as n (account_uid, order_id)
      cross join lateral (
        ${isOfOrder('n.order_id')
          .map(
            (has) => `
        (select from transaction
          where partition = $1 and account_uid = n.account_uid and ${has} and ${WHOSE} limit 1)`,
          )
          .join(' union all ')}
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
};
