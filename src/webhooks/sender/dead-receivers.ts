import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { FREE } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { DeliverySeals } from '../deliveries/delivery-seals.js';
import { lockSendable, putFirst, releaseNext, type SendableRow } from '../deliveries/delivery-table.js';
import type { DueDelivery } from '../deliveries/delivery-work.js';
import { addressOf } from '../domain/delivery.js';
import { WebhookMetrics } from '../webhook-metrics.js';

/** A partner's deliveries to one origin. */
type Origin = Pick<DueDelivery, 'partition' | 'partnerUid' | 'originKey'>;
type Address = Origin & Pick<DueDelivery, 'url'>;

/** With a schedule of seconds, an open circuit must not exhaust its backlog at once. */
const MIN_SPAN_MS = 10_000;
/** All that is due to a dead address is postponed for so long, but not for the rest of a probe under way. */
const LONG_MS = 500;
/** Due deliveries to an origin among which one statement postpones those to a dead address. */
const MAX_POSTPONED = 1_000;
/** Overdue deliveries exhausted in one transaction. */
const MAX_OVERDUE = 5_000;
/** Due deliveries that are looked through after one probe. */
const MAX_LOOKED_THROUGH = 20_000;
const MAX_ORIGINS = 10_000;

/** What becomes of the backlog of a receiver whose circuit is open (decisions 8). */
@Injectable()
export class DeadReceivers {
  /** Milliseconds of the whole schedule; at least some seconds. */
  readonly #span: number;
  /** Addresses whose deliveries are being postponed. */
  readonly #postponing = new Set<string>();
  /** How far a long backlog was looked through, by origin. */
  readonly #lookedUpTo = new LRUCache<string, Date>({ max: MAX_ORIGINS });
  readonly #logger = new Logger('Webhooks');

  constructor(
    private readonly database: Database,
    private readonly metrics: WebhookMetrics,
    private readonly seals: DeliverySeals,
    @Inject(CONFIG) { webhooks }: Pick<Config, 'webhooks'>,
  ) {
    this.#span = Math.max(
      MIN_SPAN_MS,
      webhooks.retrySchedule.reduce((sum, step) => sum + step, 0),
    );
  }

  /** Whether a delivery has been due for its whole schedule: it is to be exhausted. */
  isOverdue({ dueSince }: DueDelivery): boolean {
    return Date.now() - dueSince.getTime() > this.#span;
  }

  /**
   * Postpones the due deliveries to a dead address, as many as one statement may: else each would be claimed to learn
   * that there is no room. Once at a time for an address: many of its deliveries are claimed together.
   */
  async postpone(delivery: Address, ms: number, now = new Date()): Promise<void> {
    const address = `${delivery.originKey} ${addressOf(delivery.url)}`;
    if (ms < LONG_MS || this.#postponing.has(address)) return;
    this.#postponing.add(address);
    try {
      await this.#postpone(delivery, ms, now);
    } catch (error) {
      this.#logger.warn({ err: error }, 'deliveries to a dead address not postponed, the next one retries');
    } finally {
      this.#postponing.delete(address);
    }
  }

  /** An open circuit holds back its backlog, but no delivery for longer than its whole schedule. */
  async exhaustOverdue(origin: Origin, now = new Date()): Promise<void> {
    try {
      const deliveries = await this.#exhaustOverdue(origin, now);
      if (deliveries === 0) return;
      this.metrics.exhausted(deliveries);
      this.#logger.warn({ partner: origin.partnerUid, deliveries }, 'deliveries exhausted, circuit open');
    } catch (error) {
      this.#logger.warn({ err: error }, 'overdue deliveries not exhausted, the next failed probe retries');
    }
  }

  /**
   * After a failed probe: puts a due delivery to another address of its origin first, if there is one. Of many
   * addresses of an origin one may work: the next probe is another address's.
   */
  async putFirst(probe: Address): Promise<void> {
    try {
      await this.#putFirst(probe);
    } catch (error) {
      this.#logger.warn({ err: error }, 'no other address found, the next failed probe retries');
    }
  }

  /** Overdue ones are left: they are to be exhausted. */
  async #postpone({ partition, partnerUid, originKey, url }: Address, ms: number, now: Date): Promise<void> {
    const until = new Date(now.getTime() + ms);
    await this.database.backgroundQuery({
      name: 'webhook-postpone',
      text: `
        with line as materialized (
          select id, split_part(split_part(url, '?', 1), '#', 1) as address from webhook_delivery
          where partition = $1 and partner_uid = $2 and lane = $3 and due_at <= $5 and ${FREE}
            and coalesce(due_since, due_at) >= $6
          order by due_at limit $8),
        held as materialized (
          select id from webhook_delivery
          where partition = $1 and id = any(array(select id from line where address = $4))
            and coalesce(due_at, 'infinity') <= $5 and ${FREE}
          order by id for update skip locked)
        update webhook_delivery set due_since = coalesce(due_since, due_at), due_at = $7
        where partition = $1 and id = any(array(select id from held))`,
      values: [partition, partnerUid, originKey, addressOf(url), now, this.#overdue(now), until, MAX_POSTPONED],
    });
  }

  /** `due_at` alone does not tell: a redelivery is due before all others. @returns how many */
  #exhaustOverdue({ partition, partnerUid, originKey }: Origin, now: Date): Promise<number> {
    const before = this.#overdue(now);
    return this.database.transaction(async (client) => {
      const { rows: overdue } = await client.query<{ id: string; chain: string }>({
        name: 'webhook-overdue',
        text: `
          select id, chain from webhook_delivery
          where partition = $1 and partner_uid = $2 and lane = $3 and due_at < $4
            and coalesce(due_since, due_at) < $4
            and ${FREE}
          order by due_at limit $5`,
        values: [partition, partnerUid, originKey, before, MAX_OVERDUE],
      });
      if (overdue.length === 0) return 0;
      const { rows: locked } = await client.query<SendableRow>({
        ...lockSendable(
          partition,
          overdue.map(({ chain }) => chain),
        ),
      });
      const ids = new Set(overdue.map(({ id }) => id));
      const ending = locked.filter(({ id }) => ids.has(id));
      const { rows } = await client.query<{ chain: string }>({
        name: 'webhook-exhaust',
        text: `
          update webhook_delivery d set status = 'Exhausted', due_at = null, seal = n.seal
          from unnest($2::uuid[], $4::bytea[]) as n (id, seal)
          where d.partition = $1 and d.id = any($2::uuid[]) and d.id = n.id and coalesce(d.due_at, 'infinity') < $3
            and coalesce(d.due_since, d.due_at) < $3
            and ${FREE}
          returning d.chain`,
        values: [partition, ending.map(({ id }) => id), before, ending.map((row) => this.#sealed(row))],
      });
      const chains = rows.map(({ chain }) => chain);
      if (chains.length > 0) await client.query({ ...releaseNext(partition, chains, now) });
      return chains.length;
    }, partition);
  }

  #sealed({ id, redelivery_position: position, tries }: SendableRow): Buffer {
    return this.seals.of({ id, status: 'Exhausted', tries, redeliveryPosition: BigInt(position) });
  }

  async #putFirst({ partition, partnerUid, originKey, url }: Address): Promise<void> {
    const after = this.#lookedUpTo.get(originKey) ?? '-infinity';
    const [row] = await this.database.backgroundQuery<{ id: string | null; end: Date | null }>({
      name: 'webhook-other-address',
      // Which one is left to chance, so that none is passed over for ever.
      text: `
        with line as materialized (
          select id, due_at, split_part(split_part(url, '?', 1), '#', 1) as address
          from webhook_delivery
          where partition = $1 and partner_uid = $2 and lane = $3 and due_at >= $5 and due_at <= $6 and ${FREE}
          order by due_at limit $7),
        others as (
          select distinct on (address) id from line where address <> $4 order by address, due_at)
        select (select id from others order by random() limit 1) as id,
          (select max(due_at) from line having count(*) = $7) as end`,
      values: [partition, partnerUid, originKey, addressOf(url), after, new Date(), MAX_LOOKED_THROUGH],
    });
    const { id, end } = row!;
    if (id === null && end !== null) this.#lookedUpTo.set(originKey, end);
    else this.#lookedUpTo.delete(originKey);
    if (id !== null) await this.database.backgroundQuery(putFirst(partition, [id]));
  }

  /** What has been due since before then is overdue. */
  #overdue(now: Date): Date {
    return new Date(now.getTime() - this.#span);
  }
}
