import type { PoolClient } from 'pg';
import { lockedInOrder, type Statement } from '../../event-store/index.js';
import { type DeliveryTarget, originKeyOf, type NewDelivery } from '../domain/delivery.js';

/** A delivery as it is once it is locked. */
export interface SendableRow {
  readonly id: string;
  readonly redelivery_position: string;
  readonly tries: number;
}

/** A redelivery request, from its event. */
export interface Redelivery {
  readonly id: string;
  /** Position of the event: it makes the request idempotent. */
  readonly position: bigint;
}

/**
 * Unfinished deliveries of a chain, by the index that has only those: it does not grow with what is delivered. They are
 * read chain by chain (`limit`, `offset`), since a join might read the partition.
 */
const OF_CHAIN = `from webhook_delivery
          where partition = $1 and chain = n.chain and status in ('Pending', 'Retrying')`;
const SENDABLE = `${OF_CHAIN} and due_at is not null`;
const WAITING = `${OF_CHAIN} and due_at is null`;

/**
 * Locks the newest unfinished delivery of each chain, in id order, so that it does not finish before what follows it is
 * committed: whoever finishes it, or another one after it, finds that. Where it has just finished, only redeliveries
 * are left, which are outside the order.
 * @returns the chains that have one
 */
export function lockNewest(partition: number, chains: readonly string[]): Statement {
  return {
    name: 'webhook-lock-newest',
    text: `
      select chain from webhook_delivery
      where partition = $1 and coalesce(status, '') in ('Pending', 'Retrying') and id = any(array(
        select newest.id
        from unnest($2::uuid[]) as n (chain)
        cross join lateral (
          (select id ${WAITING} order by due_at desc, position desc limit 1)
          union all
          (select id ${SENDABLE} order by position desc limit 1)
          limit 1) as newest))
      order by coalesce(id, id) for share`,
    values: [partition, distinct(chains)],
  };
}

/**
 * Adds deliveries in the transaction of the saga's checkpoint. One whose chain has an unfinished delivery gets no due
 * time: whoever finishes that releases ours. An existing delivery is left as it is.
 */
export async function addDeliveries(
  client: PoolClient,
  partition: number,
  deliveries: readonly NewDelivery[],
  dueAt: Date,
): Promise<void> {
  if (deliveries.length === 0) return;
  const { rows } = await client.query<{ chain: string }>({
    ...lockNewest(
      partition,
      deliveries.map((one) => one.chain),
    ),
  });
  const busy = new Set(rows.map(({ chain }) => chain));
  const due = deliveries.map(({ chain }) => {
    if (busy.has(chain)) return null;
    busy.add(chain);
    return dueAt;
  });
  await client.query({
    name: 'webhook-add',
    text: `
      insert into webhook_delivery (partition, id, position, chain, transaction_id, transaction_state, type, account_uid,
        partner_uid, lane, url, header_name, header_secret, material, status, due_at, due_since)
      select $1, n.id, n.position, n.chain, n.transaction_id, n.transaction_state, n.type, n.account_uid,
        n.partner_uid, n.lane, n.url, n.header_name, n.header_secret, n.material::json, 'Pending', n.due_at, n.due_at
      from unnest($2::uuid[], $3::bigint[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::uuid[], $9::uuid[],
        $10::text[], $11::text[], $12::uuid[], $13::text[], $14::timestamptz[], $15::text[])
        as n (id, position, chain, transaction_id, transaction_state, account_uid, partner_uid, lane, url,
          header_name, header_secret, material, due_at, type)
      on conflict (partition, id) do nothing`,
    values: [
      partition,
      deliveries.map((one) => one.id),
      deliveries.map((one) => one.position),
      deliveries.map((one) => one.chain),
      deliveries.map((one) => one.transactionId),
      deliveries.map((one) => one.transactionState),
      deliveries.map((one) => one.accountUid),
      deliveries.map((one) => one.partnerUid),
      deliveries.map((one) => originKeyOf(one.partnerUid, one.url)),
      deliveries.map((one) => one.url),
      deliveries.map((one) => one.header?.name ?? null),
      deliveries.map((one) => one.header?.secretId ?? null),
      deliveries.map((one) => JSON.stringify(one.material)),
      due,
      deliveries.map((one) => one.type),
    ],
  });
  // After a checkpoint was reset, an earlier delivery of this batch may be finished already.
  const waiting = deliveries.filter((_, i) => due[i] === null).map(({ chain }) => chain);
  if (waiting.length > 0) await client.query({ ...releaseNext(partition, waiting, dueAt) });
}

/**
 * Locks the deliveries of chains that may be sent, in id order: what waits cannot finish. Whoever finishes deliveries
 * does this first, in a statement of its own: of two that finish deliveries of one chain concurrently, the second sees
 * the first one's changes, and releases what waited for both. Gives `SendableRow`s.
 */
export function lockSendable(partition: number, chains: readonly string[]): Statement {
  return {
    name: 'webhook-lock-sendable',
    text: `
      select id, redelivery_position, tries from webhook_delivery
      where partition = $1 and id = any(array(
        select sendable.id
        from unnest($2::uuid[]) as n (chain)
        cross join lateral (
          select id ${SENDABLE} offset 0) as sendable))
      order by coalesce(id, id) for update`,
    values: [partition, distinct(chains)],
  };
}

/** Makes the next delivery of each chain due, once all before it are final. */
export function releaseNext(partition: number, chains: readonly string[], dueAt: Date): Statement {
  return {
    name: 'webhook-release-next',
    text: `
      update webhook_delivery d set due_at = $3, due_since = $3
      where d.partition = $1 and coalesce(d.status, '') = 'Pending' and d.due_at is null and d.id = any(array(
        select next.id
        from unnest($2::uuid[]) as n (chain)
        cross join lateral (
          select id, position ${WAITING} order by due_at, position limit 1) as next
        where next.position < all (select position ${SENDABLE})))`,
    values: [partition, distinct(chains), dueAt],
  };
}

/** When what precedes all that is due to the origin of `d` is due: a probe takes the oldest. */
const BEFORE_OTHERS = `(
          select o.due_at - interval '1 millisecond' from webhook_delivery o
          where o.partition = $1 and o.partner_uid = d.partner_uid and o.lane = d.lane and o.due_at is not null
          order by o.due_at limit 1)`;

/** Makes deliveries precede all others to their origin, if they are to be sent. */
export function putFirst(partition: number, ids: readonly string[]): Statement {
  return {
    name: 'webhook-put-first',
    text: `
      update webhook_delivery d
      set due_since = coalesce(d.due_since, d.due_at), due_at = least(d.due_at, ${BEFORE_OTHERS})
      where d.partition = $1 and d.id = any($2::uuid[]) and coalesce(d.due_at, 'infinity') < 'infinity'`,
    values: [partition, ids],
  };
}

/**
 * Resets deliveries to the first step of the schedule, due before all others to their origin: a probe takes the oldest,
 * and that is to be the redelivery. One that waits for an earlier delivery of its chain is left as it is.
 * @returns their targets
 */
export async function redeliver(
  client: PoolClient,
  partition: number,
  redeliveries: readonly Redelivery[],
  now: Date,
): Promise<DeliveryTarget[]> {
  if (redeliveries.length === 0) return [];
  const { rows } = await client.query<{ partner_uid: string; url: string }>({
    name: 'webhook-redeliver',
    text: `${lockedInOrder('webhook_delivery')}
      update webhook_delivery d
      set status = case when d.status = 'Retrying' then 'Retrying' else 'Pending' end, tries = 0,
        due_at = case when d.status <> 'Pending' or d.due_at is not null then least($4, ${BEFORE_OTHERS}) end,
        due_since = $4, redelivery_position = n.position
      from unnest($2::uuid[], $3::bigint[]) as n (id, position)
      where d.partition = $1 and d.id = any(array(select id from own)) and d.id = n.id and d.redelivery_position < n.position
      returning d.partner_uid, d.url`,
    values: [partition, redeliveries.map(({ id }) => id), redeliveries.map(({ position }) => position), now],
  });
  return rows.map(({ partner_uid: partnerUid, url }) => ({ partnerUid, url }));
}

function distinct(chains: readonly string[]): string[] {
  return [...new Set(chains)];
}
