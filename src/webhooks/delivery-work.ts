import { randomUUID } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import type { WorkRef, WorkSource } from '../event-store/index.js';
import type { BodyMaterial } from './domain/delivery.js';
import type { Allowances } from './sender/gate.js';

/** A delivery that this process holds and is to try now. */
export interface DueDelivery extends WorkRef {
  readonly lane: string;
  readonly chain: string;
  readonly partnerUid: string;
  readonly url: string;
  readonly header: { readonly name: string; readonly secretId: string } | null;
  readonly material: BodyMaterial;
  /** Tries of this round of the schedule, and attempts ever. */
  readonly tries: number;
  readonly attemptsMade: number;
  readonly dueAt: Date;
  /** Position of the newest request for redelivery; 0 for none. */
  readonly redeliveryPosition: bigint;
}

/** The name under which this work is signalled and counted. */
export const WEBHOOK_SOURCE = 'webhooks';

/** Lanes of one partner that one look visits; it begins at a random one, so that all get their turn. */
const LANES_A_LOOK = 64;

/**
 * Deliveries as work. What is due is found lane by lane, each with a few of its oldest, so that neither a dead
 * receiver's backlog nor a partner with many dead receivers has to be read past to find the others'.
 * @param allowances how much of each lane and partner may be claimed now
 */
export function deliverySource(allowances: () => Allowances): WorkSource<DueDelivery> {
  return {
    name: WEBHOOK_SOURCE,
    due: (now, limit) => {
      const { lanes, partners, otherLanes, otherPartners } = allowances();
      return {
        name: 'webhook-due',
        text: `
          with recursive partners as (
            select h.partition, f.partner_uid
            from log_head h
            cross join lateral (
              select d.partner_uid from webhook_delivery d
              where d.partition = h.partition and d.due_at is not null
              order by d.partner_uid limit 1) f
            union all
            select p.partition, n.partner_uid
            from partners p
            cross join lateral (
              select d.partner_uid from webhook_delivery d
              where d.partition = p.partition and d.due_at is not null and d.partner_uid > p.partner_uid
              order by d.partner_uid limit 1) n
          ),
          lanes as (
            select p.partition, p.partner_uid, l.lane
            from partners p
            cross join lateral (
              with recursive above as (
                select (
                  select d.lane from webhook_delivery d
                  where d.partition = p.partition and d.partner_uid = p.partner_uid and d.due_at is not null
                    and d.lane > $3
                  order by d.lane limit 1) as lane, 1 as visited
                union all
                select (
                  select d.lane from webhook_delivery d
                  where d.partition = p.partition and d.partner_uid = p.partner_uid and d.due_at is not null
                    and d.lane > a.lane
                  order by d.lane limit 1), a.visited + 1
                from above a where a.lane is not null and a.visited < $4
              ),
              below as (
                select (
                  select d.lane from webhook_delivery d
                  where d.partition = p.partition and d.partner_uid = p.partner_uid and d.due_at is not null
                    and d.lane <= $3
                  order by d.lane limit 1) as lane, 1 as visited
                union all
                select (
                  select d.lane from webhook_delivery d
                  where d.partition = p.partition and d.partner_uid = p.partner_uid and d.due_at is not null
                    and d.lane > b.lane and d.lane <= $3
                  order by d.lane limit 1), b.visited + 1
                from below b where b.lane is not null and b.visited < $4
              )
              select lane from above where lane is not null
              union all
              select lane from below where lane is not null
            ) l
          ),
          candidates as (
            select l.partition, l.partner_uid, c.id, c.due_at,
              row_number() over (partition by l.partner_uid order by c.due_at) as nth
            from lanes l
            left join unnest($5::uuid[], $6::int[]) as known (lane, free) on known.lane = l.lane
            cross join lateral (
              select d.id, d.due_at from webhook_delivery d
              where d.partition = l.partition and d.partner_uid = l.partner_uid and d.lane = l.lane
                and d.due_at <= $1 and (d.leased_until is null or d.leased_until < $1)
              order by d.due_at limit coalesce(known.free, $7)) c
          )
          select c.partition, c.id
          from candidates c
          left join unnest($8::uuid[], $9::int[]) as known (partner_uid, free) on known.partner_uid = c.partner_uid
          where c.nth <= coalesce(known.free, $10)
          order by c.due_at limit $2`,
        values: [
          now,
          limit,
          randomUUID(),
          LANES_A_LOOK,
          [...lanes.keys()],
          [...lanes.values()],
          otherLanes,
          [...partners.keys()],
          [...partners.values()],
          otherPartners,
        ],
      };
    },

    claim: (partition, ids, lease, now, until) => ({
      name: 'webhook-claim',
      text: `
        update webhook_delivery set lease = $3, leased_until = $5
        where partition = $1 and id in (
          select id from webhook_delivery
          where partition = $1 and id = any($2::uuid[]) and due_at <= $4 and (leased_until is null or leased_until < $4)
          for update skip locked)
        returning partition, id, lane, chain, partner_uid, url, header_name, header_secret, material, tries,
          attempts_made, due_at, redelivery_position`,
      values: [partition, ids, lease, now, until],
    }),

    // In the order of ids, like every statement that locks several rows: so two of them never wait for each other.
    renew: (partition, ids, lease, until) => ({
      name: 'webhook-renew',
      text: `
        update webhook_delivery set leased_until = $4
        where partition = $1 and id in (
          select id from webhook_delivery
          where partition = $1 and id = any($2::uuid[]) and lease = $3
          order by id for update)`,
      values: [partition, ids, lease, until],
    }),

    release: (partition, ids, lease) => ({
      name: 'webhook-release',
      text: `
        update webhook_delivery set lease = null, leased_until = null
        where partition = $1 and id in (
          select id from webhook_delivery
          where partition = $1 and id = any($2::uuid[]) and lease = $3
          order by id for update)`,
      values: [partition, ids, lease],
    }),

    parse: (row: QueryResultRow) => ({
      partition: row.partition as number,
      id: row.id as string,
      lane: row.lane as string,
      chain: row.chain as string,
      partnerUid: row.partner_uid as string,
      url: row.url as string,
      header:
        row.header_name === null ? null : { name: row.header_name as string, secretId: row.header_secret as string },
      material: row.material as BodyMaterial,
      tries: row.tries as number,
      attemptsMade: row.attempts_made as number,
      dueAt: row.due_at as Date,
      redeliveryPosition: BigInt(row.redelivery_position as string),
    }),
  };
}
