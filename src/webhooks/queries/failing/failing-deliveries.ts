import { Injectable } from '@nestjs/common';
import type { TransactionState } from '../../../accounts/index.js';
import { Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Attempt, DeliveryStatus } from '../../domain/delivery.js';
import type { HostCounts } from './host-counts.answer.js';

/** What deliveries that are not delivered may be looked for by. */
export interface FailingFilters {
  readonly status?: Exclude<DeliveryStatus, 'Delivered'>;
  readonly partnerUid?: string;
  /** With its port, as the URL has it. */
  readonly host?: string;
  readonly transactionId?: string;
}

export interface FailingDelivery {
  readonly id: string;
  readonly transactionId: string | null;
  readonly transactionState: TransactionState;
  readonly accountUid: string;
  readonly partnerUid: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly dueAt: Date | null;
  readonly attempts: readonly Attempt[];
}

/** What is looked at of each partition, as where they are counted: the answer's cost must not grow with the backlog. */
const MOST = 10_000;

/** Of a partition, by the index of what is not delivered. */
const OPEN = `
  open as materialized (
    select id, status, partner_uid, transaction_id, split_part(url, '/', 3) as host from webhook_delivery
    where partition = $1 and status <> 'Delivered' limit ${MOST})`;

/** Reads what is not delivered over all accounts, partition by partition. */
@Injectable()
export class FailingDeliveries {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /** Newest first. @param before an identifier, exclusive */
  async list({ status, partnerUid, host, transactionId }: FailingFilters, before: string | undefined, limit: number) {
    const { found, away } = await this.partitions.ask(this.partitions.all(), (partition) =>
      this.database.query<FailingDelivery & Record<string, unknown>>({
        name: 'webhook-failing',
        text: `
          with ${OPEN}
          select id, transaction_id as "transactionId", transaction_state as "transactionState",
            account_uid as "accountUid", partner_uid as "partnerUid", url, status, due_at as "dueAt", attempts
          from webhook_delivery
          where partition = $1 and id = any(array(
            select id from open
            where ($2::text is null or status = $2) and ($3::uuid is null or partner_uid = $3)
              and ($4::text is null or host = $4) and ($5::uuid is null or transaction_id = $5)
              and ($6::uuid is null or id < $6)
            order by id desc limit $7))`,
        values: [partition, status, partnerUid, host, transactionId, before, limit],
      }),
    );
    const rows = found.flatMap(([, one]) => one).sort((a, b) => (a.id < b.id ? 1 : -1));
    return { rows: rows.slice(0, limit), away };
  }

  /** Hosts, those with the most first. */
  async hosts(most: number): Promise<HostCounts[]> {
    const { found } = await this.partitions.ask(this.partitions.all(), (partition) =>
      this.database.query<{ host: string; status: string; count: number }>({
        name: 'webhook-failing-hosts',
        text: `
          with ${OPEN}
          select host, status, count(*)::int as count from open group by host, status`,
        values: [partition],
      }),
    );
    const groups = Map.groupBy(
      found.flatMap(([, rows]) => rows),
      ({ host }) => host,
    );
    const hosts = [...groups].map(([host, group]) => {
      const of = (status: string) => group.reduce((sum, one) => (one.status === status ? sum + one.count : sum), 0);
      const [retrying, stopped, exhausted, waiting] = ['Retrying', 'Stopped', 'Exhausted', 'Pending'].map(of);
      return { host, retrying: retrying!, stopped: stopped!, exhausted: exhausted!, waiting: waiting! };
    });
    const sum = (one: HostCounts) => one.retrying + one.stopped + one.exhausted + one.waiting;
    return hosts.sort((a, b) => sum(b) - sum(a)).slice(0, most);
  }
}
