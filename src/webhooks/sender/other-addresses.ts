import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { free } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { putFirst } from '../delivery-table.js';
import type { DueDelivery } from '../delivery-work.js';
import { addressOf } from '../domain/delivery.js';

/** Due deliveries that are looked through after one probe. */
const MAX_LOOKED_THROUGH = 20_000;
const MAX_ORIGINS = 10_000;

/** Of many addresses of an origin one may work: the probe after one that failed is another address's. */
@Injectable()
export class OtherAddresses {
  /** How far a long backlog was looked through, by origin. */
  readonly #lookedUpTo = new LRUCache<string, Date>({ max: MAX_ORIGINS });
  readonly #logger = new Logger(OtherAddresses.name);

  constructor(private readonly database: Database) {}

  /** After a failed probe: puts a due delivery to another address of its origin first, if there is one. */
  async putFirst(probe: DueDelivery): Promise<void> {
    try {
      await this.#putFirst(probe);
    } catch (error) {
      this.#logger.warn({ err: error }, 'no other address found, the next failed probe retries');
    }
  }

  async #putFirst({ partition, partnerUid, originKey, url }: DueDelivery): Promise<void> {
    const after = this.#lookedUpTo.get(originKey) ?? '-infinity';
    const [row] = await this.database.backgroundQuery<{ id: string | null; end: Date | null }>({
      name: 'webhook-other-address',
      // Which one is left to chance, so that none is passed over for ever.
      text: `
        with line as materialized (
          select id, due_at, split_part(split_part(url, '?', 1), '#', 1) as address
          from webhook_delivery
          where partition = $1 and partner_uid = $2 and lane = $3 and due_at >= $5 and due_at <= $6 and ${free('$6')}
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
}
