import { Injectable } from '@nestjs/common';
import type { TransactionState } from '../../../accounts/index.js';
import { partitionOf, Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Attempt, DeliveryStatus, DeliveryTarget } from '../../domain/delivery.js';
import { WebhookSender } from '../../sender/webhook-sender.js';
import type { HostCounts } from './host-counts.answer.js';

/** Filters on the deliveries of all accounts. */
export interface DeliverySearch {
  /** Without it: all undelivered ones. */
  readonly status?: DeliveryStatus;
  readonly partnerUid?: string;
  /** With its port, as in the URL. */
  readonly host?: string;
  readonly transactionId?: string;
}

export interface FoundDelivery {
  readonly id: string;
  readonly transactionId: string | null;
  /** It and the next two are `null` for a notification of an account. */
  readonly transactionState: TransactionState | null;
  readonly orderId: string | null;
  readonly amount: string | null;
  /** Of a notification of an account. */
  readonly type: string | null;
  readonly accountUid: string;
  readonly partnerUid: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly dueAt: Date | null;
  readonly attempts: readonly Attempt[];
}

/** The most read of each partition: the cost must not grow with the backlog. */
const MAX_READ = 10_000;

const READ = `
    select id, status, partner_uid, transaction_id, split_part(url, '/', 1) as scheme, split_part(url, '/', 3) as host
    from webhook_delivery`;

/** Of a partition, by the index of undelivered ones. */
const OPEN = `
  open as materialized (
    ${READ} where partition = $1 and status <> 'Delivered' limit ${MAX_READ})`;

/** The newest of a partition, by primary key: nearly all are delivered. */
const NEWEST = `
  open as materialized (
    ${READ} where partition = $1 order by id desc limit ${MAX_READ})`;

const FOUND = `
  select id, transaction_id as "transactionId", transaction_state as "transactionState",
    material->'fields'->>'transactionOrderId' as "orderId", material->'fields'->>'transactionAmount' as amount,
    type, account_uid as "accountUid", partner_uid as "partnerUid", url, status, due_at as "dueAt", attempts
  from webhook_delivery`;

/** Reads deliveries over all accounts, partition by partition. */
@Injectable()
export class FailingDeliveries {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly sender: WebhookSender,
  ) {}

  /** Newest first. @param before an identifier, exclusive */
  async list({ status, partnerUid, host, transactionId }: DeliverySearch, before: string | undefined, limit: number) {
    const delivered = status === 'Delivered';
    const { found, away } = await this.partitions.ask(this.partitions.all(), (partition) =>
      this.database.query<FoundDelivery & Record<string, unknown>>({
        name: delivered ? 'webhook-delivered' : 'webhook-failing',
        text: `
          with ${delivered ? NEWEST : OPEN}
          ${FOUND}
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

  /** @returns `undefined` for an unknown one */
  async one(id: string): Promise<FoundDelivery | undefined> {
    const partition = partitionOf(id);
    if (partition === undefined) return undefined;
    const [row] = await this.database.query<FoundDelivery & Record<string, unknown>>({
      name: 'webhook-one',
      text: `${FOUND} where partition = $1 and id = $2`,
      values: [partition, id],
    });
    return row;
  }

  /** The open circuit of a target, as known to this process. */
  circuitOf(target: DeliveryTarget) {
    return this.sender.circuitOf(target);
  }

  /** Hosts, those with the most undelivered first. */
  async hosts(most: number): Promise<HostCounts[]> {
    const { found } = await this.partitions.ask(this.partitions.all(), (partition) =>
      this.database.query<{ partnerUid: string; origin: string; status: string; count: number }>({
        name: 'webhook-failing-hosts',
        text: `
          with ${OPEN}
          select partner_uid as "partnerUid", scheme || '//' || host as origin, status, count(*)::int as count
          from open group by partner_uid, scheme, host, status`,
        values: [partition],
      }),
    );
    const groups = Map.groupBy(
      found.flatMap(([, rows]) => rows),
      ({ origin }) => origin.split('/', 3)[2]!,
    );
    const hosts = [...groups].map(([host, group]) => {
      const of = (status: string) => group.reduce((sum, one) => (one.status === status ? sum + one.count : sum), 0);
      const [retrying, stopped, exhausted, waiting] = ['Retrying', 'Stopped', 'Exhausted', 'Pending'].map(of);
      const open = group.flatMap(({ partnerUid, origin }) => this.circuitOf({ partnerUid, url: origin }) ?? []);
      const circuit = open.sort((a, b) => a.since.getTime() - b.since.getTime())[0] ?? null;
      return { host, retrying: retrying!, stopped: stopped!, exhausted: exhausted!, waiting: waiting!, circuit };
    });
    const sum = (one: HostCounts) => one.retrying + one.stopped + one.exhausted + one.waiting;
    return hosts.sort((a, b) => sum(b) - sum(a)).slice(0, most);
  }
}
