import type { Statement } from '../../../event-store/index.js';
import { type DeliveryStatus, originKeysAt } from '../../domain/delivery.js';

/** Which undelivered ones of a partition to read. */
export interface OpenSearch {
  /** Of these partners. */
  readonly partners: readonly string[];
  /** To this host, with its port, as in the URL. */
  readonly host: string | undefined;
  /** Without it: all. */
  readonly status: DeliveryStatus | undefined;
  /** An identifier, exclusive. */
  readonly before: string | undefined;
}

interface OverOpen {
  readonly name: string;
  readonly text: string;
  readonly most?: number;
  readonly least?: number;
}

/** The most read of a partition, and of each status that is final: the cost must not grow with the backlog. */
const MAX_READ = 10_000;
/** Of one partner, however many there are. */
const LEAST_READ = 100;
/** Of one chain that wait for an earlier one. */
const MAX_WAITING = 100;
/** Greater than any identifier. */
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The partners that have undelivered ones, each found by its key. One that waits has an earlier one of its chain that
 * is due.
 */
export function openPartners(partition: number): Statement {
  const having = (name: string, condition: string) => `
    ${name} as (
      (select partner_uid from webhook_delivery where partition = $1 and ${condition}
       order by partner_uid limit 1)
      union all
      select n.partner_uid
      from ${name} p
      cross join lateral (
        select d.partner_uid from webhook_delivery d
        where d.partition = $1 and ${condition} and d.partner_uid > p.partner_uid
        order by d.partner_uid limit 1) n)`;
  return {
    name: 'webhook-open-partners',
    text: `
      with recursive ${having('failed', `status in ('Stopped', 'Exhausted')`)}, ${having('due', 'due_at is not null')}
      select partner_uid as "partnerUid" from failed
      union
      select partner_uid from due`,
    values: [partition],
  };
}

/**
 * A statement over undelivered ones, `open`. Each partner has its share of what is read, so that none hides another's.
 * Of those that failed (`Stopped`, `Exhausted`) it has the newest. The others come from the index of what is due,
 * by origin, and those that wait from their chains.
 * @param most of each partner and status that failed; by default the partner's share
 * @param least of one partner, however many there are
 * @param text from `open (id, status, partner_uid, url)`; `$7` is `most`
 */
export function overOpen(
  partition: number,
  { partners, host, status, before }: OpenSearch,
  { name, text, most, least = LEAST_READ }: OverOpen,
): Statement {
  const keysOf = (partner: string) => (host === undefined ? [null] : originKeysAt(partner, host));
  const places = partners.flatMap((partner) => keysOf(partner).map((key) => ({ partner, key })));
  const share = Math.max(least, Math.floor(MAX_READ / Math.max(1, places.length)));
  const asked = (statuses: readonly DeliveryStatus[]) =>
    statuses.filter((one) => status === undefined || one === status);
  return {
    name: host === undefined ? name : `${name}-at-host`,
    text: `with ${host === undefined ? OF_PARTNERS : AT_ORIGINS} ${text}`,
    values: [
      partition,
      places.map(({ partner }) => partner),
      places.map(({ key }) => key),
      asked(['Stopped', 'Exhausted']),
      asked(['Pending', 'Retrying']),
      before ?? AFTER_ALL,
      most ?? share,
      share,
    ],
  };
}

const READ = 'select id, chain, status, partner_uid, url from webhook_delivery where partition = $1';

const OF_PARTNERS = open({
  failed: 'partner_uid = p.partner_uid',
  due: 'partner_uid = p.partner_uid',
  waiting: 'true',
});
const AT_ORIGINS = open({
  failed: 'lane = p.lane',
  due: 'partner_uid = p.partner_uid and lane = p.lane',
  waiting: 'lane = any($3::uuid[])',
});

function open(of: { readonly failed: string; readonly due: string; readonly waiting: string }): string {
  return `
    place as materialized (
      select * from unnest($2::uuid[], $3::uuid[]) as p (partner_uid, lane)),
    failed as (
      select f.*
      from place p
      cross join unnest($4::text[]) as s (status)
      cross join lateral (
        ${READ} and ${of.failed} and status = s.status and status in ('Stopped', 'Exhausted') and id < $6
        order by id desc limit $7) as f),
    due as materialized (
      select d.*
      from place p
      cross join lateral (
        ${READ} and ${of.due} and due_at is not null
        order by lane desc, due_at desc limit $8) as d
      where $5::text[] <> '{}'),
    waiting as (
      select w.*
      from (select distinct chain from due) as c
      cross join lateral (
        ${READ} and chain = c.chain and status in ('Pending', 'Retrying') and due_at is null and ${of.waiting}
        limit ${MAX_WAITING}) as w),
    open as materialized (
      select * from failed
      union all
      select * from (select * from due union all select * from waiting) as unfinished
      where status = any($5) and id < $6)`;
}
