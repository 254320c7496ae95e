import { randomUUID } from 'node:crypto';
import {
  BACKLOG_COUNTED,
  FREE,
  LEASED_UNTIL,
  leaseStatements,
  type ClaimedWork,
  type WorkShare,
  type WorkSource,
} from '../../event-store/index.js';
import type { DeliveryStatus, NewDelivery } from '../domain/delivery.js';
import type { Allowances } from '../sender/gate.js';

/** A delivery leased by this process, to be attempted now. */
export interface DueDelivery extends ClaimedWork, Omit<NewDelivery, 'transactionState'> {
  readonly share: WorkShare;
  /** See `originKeyOf`; stored as `lane`. */
  readonly originKey: string;
  readonly status: DeliveryStatus;
  /** Of the status and the tries; see `DeliverySeals`. */
  readonly seal: Buffer | null;
  /** Attempts of this run of the schedule, and of all runs. */
  readonly tries: number;
  readonly attemptsMade: number;
  readonly dueAt: Date;
  /** When this attempt was due at first; `dueAt` is later where there was no room for it. */
  readonly dueSince: Date;
  /** Position of the newest redelivery request; 0 for none. */
  readonly redeliveryPosition: bigint;
}

/** The work source's name in signals and metrics. */
export const WEBHOOK_SOURCE = 'webhooks';

/** Origins of one partner read by one poll; it starts at a random one, so that all get their turn. */
const ORIGINS_PER_POLL = 64;

/**
 * Deliveries as leased work. Partners share its slots, and the origins of a partner share that partner's slots. The
 * query reads the oldest due deliveries of each origin and lists them round-robin: by partner, and by origin within a
 * partner. So neither a long backlog nor a partner with many dead receivers has to be scanned to find the deliveries of
 * others, or fills the list. The scan is a recursive query, which a distributed database runs within one partition
 * only; all deliveries of a partner are in one.
 * @param allowances how many deliveries of each origin may be claimed now
 */
export function deliverySource(allowances: () => Allowances): WorkSource<DueDelivery> {
  return {
    name: WEBHOOK_SOURCE,
    // Their age is indexed by origin only, so this shows just that there are some.
    place: {
      waiting: (partition, [source]) => ({
        name: 'webhook-waiting',
        text: `
          select $2::text as source
          where exists (select from webhook_delivery where partition = $1 and due_at is not null)`,
        values: [partition, source],
      }),
    },

    due: (now, { owners, others, limit }, partition) => {
      const { origins, otherOrigins } = allowances();
      return {
        name: 'webhook-due',
        text: `
          with recursive partners as (
            (select d.partner_uid from webhook_delivery d
             where d.partition = $1 and d.due_at is not null
             order by d.partner_uid limit 1)
            union all
            select n.partner_uid
            from partners p
            cross join lateral (
              select d.partner_uid from webhook_delivery d
              where d.partition = $1 and d.due_at is not null and d.partner_uid > p.partner_uid
              order by d.partner_uid limit 1) n
          ),
          with_room as materialized (
            select p.partner_uid, coalesce(known.free, $11) as free
            from partners p
            left join unnest($9::uuid[], $10::int[]) as known (partner_uid, free) using (partner_uid)
            where coalesce(known.free, $11) > 0
          ),
          origins as (
            select p.partner_uid, p.free, l.lane
            from with_room p
            cross join lateral (
              with recursive above as (
                select (
                  select d.lane from webhook_delivery d
                  where d.partition = $1 and d.partner_uid = p.partner_uid and d.due_at is not null
                    and d.lane > $4
                  order by d.lane limit 1) as lane, 1 as visited
                union all
                select (
                  select d.lane from webhook_delivery d
                  where d.partition = $1 and d.partner_uid = p.partner_uid and d.due_at is not null
                    and d.lane > a.lane
                  order by d.lane limit 1), a.visited + 1
                from above a where a.lane is not null and a.visited < $5
              ),
              below as (
                select (
                  select d.lane from webhook_delivery d
                  where d.partition = $1 and d.partner_uid = p.partner_uid and d.due_at is not null
                    and d.lane <= $4
                  order by d.lane limit 1) as lane, 1 as visited
                union all
                select (
                  select d.lane from webhook_delivery d
                  where d.partition = $1 and d.partner_uid = p.partner_uid and d.due_at is not null
                    and d.lane > b.lane and d.lane <= $4
                  order by d.lane limit 1), b.visited + 1
                from below b where b.lane is not null and b.visited < $5
              )
              select lane from above where lane is not null
              union all
              select lane from below where lane is not null
            ) l
          ),
          candidates as (
            select l.partner_uid, l.lane, l.free, c.id, c.due_at, c.in_origin
            from origins l
            left join unnest($6::uuid[], $7::int[]) as known (lane, free) on known.lane = l.lane
            cross join lateral (
              select o.id, o.due_at, row_number() over (order by o.due_at) as in_origin
              from (
                select d.id, d.due_at from webhook_delivery d
                where d.partition = $1 and d.partner_uid = l.partner_uid and d.lane = l.lane
                  and d.due_at <= $2 and ${FREE}
                order by d.due_at limit least(coalesce(known.free, $8), l.free)) o) c
          ),
          turns as (
            select c.*, row_number() over (partition by c.partner_uid order by c.in_origin, c.due_at) as turn
            from candidates c
          )
          select $1::int as partition, t.id, t.partner_uid as owner, t.lane as target, t.due_at
          from turns t
          where t.turn <= t.free
          order by t.turn, t.due_at limit $3`,
        values: [
          partition,
          now,
          limit,
          randomUUID(),
          ORIGINS_PER_POLL,
          [...origins.keys()],
          [...origins.values()],
          otherOrigins,
          [...owners.keys()],
          [...owners.values()],
          others,
        ],
      };
    },

    backlog: (now, partition) => ({
      name: 'webhook-backlog',
      text: `
        select count(due_at)::int as due, min(due_at) as oldest
        from (
          select due_at from webhook_delivery
          where partition = $1 and due_at <= $2 limit $3) as d`,
      values: [partition, now, BACKLOG_COUNTED],
    }),

    // Each lists its rows, then updates them by key: a plan that was made while the table was empty may join two scans
    // of it, and read the backlog once for each row. `coalesce` keeps the index of due deliveries out of it.
    claim: (partition, ids, lease, now) => ({
      name: 'webhook-claim',
      text: `
        with free as materialized (
          select id from webhook_delivery
          where partition = $1 and id = any($2::uuid[]) and coalesce(due_at, 'infinity') <= $4
            and ${FREE}
          for update skip locked)
        update webhook_delivery set lease = $3, leased_until = ${LEASED_UNTIL}
        where partition = $1 and id = any(array(select id from free))
        returning partition, id, position, lane, chain, transaction_id, type, account_uid, partner_uid, url,
          header_name, header_secret, material, status, seal, tries, attempts_made, due_at,
          coalesce(due_since, due_at) as due_since, redelivery_position`,
      values: [partition, ids, lease, now],
    }),

    ...leaseStatements('webhook_delivery', 'webhook'),

    parse: (row, lease) => ({
      lease,
      partition: row.partition as number,
      id: row.id as string,
      share: { owner: row.partner_uid as string, target: row.lane as string },
      originKey: row.lane as string,
      position: BigInt(row.position as string),
      chain: row.chain as string,
      transactionId: row.transaction_id as string | null,
      type: row.type as string | null,
      accountUid: row.account_uid as string,
      partnerUid: row.partner_uid as string,
      url: row.url as string,
      header:
        row.header_name === null ? null : { name: row.header_name as string, secretId: row.header_secret as string },
      material: row.material as DueDelivery['material'],
      status: row.status as DeliveryStatus,
      seal: row.seal as Buffer | null,
      tries: row.tries as number,
      attemptsMade: row.attempts_made as number,
      dueAt: row.due_at as Date,
      dueSince: row.due_since as Date,
      redeliveryPosition: BigInt(row.redelivery_position as string),
    }),
  };
}
