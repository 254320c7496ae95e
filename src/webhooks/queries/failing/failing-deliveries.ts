import { Injectable } from '@nestjs/common';
import { TransactionRows, type TransactionState } from '../../../accounts/index.js';
import { partitionOf, Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import {
  type Attempt,
  chainOfTransaction,
  type DeliveryStatus,
  type DeliveryTarget,
  hostOf,
  originOf,
  originsAt,
} from '../../domain/delivery.js';
import { WebhookSender } from '../../sender/webhook-sender.js';
import type { HostCounts } from './host-counts.answer.js';
import { openPartners, overOpen } from './open-deliveries.js';

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

/** Newest delivered ones read of each partition: the cost must not grow with the history. */
const MAX_DELIVERED = 10_000;
/** Deliveries of one transaction: a few for each change of state. */
const MAX_OF_TRANSACTION = 1_000;

const FOUND = `
  select id, transaction_id as "transactionId", transaction_state as "transactionState",
    material->'fields'->>'transactionOrderId' as "orderId", material->'fields'->>'transactionAmount' as amount,
    type, account_uid as "accountUid", partner_uid as "partnerUid", url, status, due_at as "dueAt", attempts
  from webhook_delivery`;

/** Origins of a partition, those with the most: each partner may have thousands. Ten times as many as are listed. */
const MAX_ORIGINS = 200;

/** As written: `hostOf` makes one of what differs in case, or by a port that needs not be named. */
const HOSTS = `
  select origin, array_agg(distinct partner_uid)::text[] as partners,
    count(*) filter (where status = 'Retrying')::int as retrying,
    count(*) filter (where status = 'Stopped')::int as stopped,
    count(*) filter (where status = 'Exhausted')::int as exhausted,
    count(*) filter (where status = 'Pending')::int as waiting
  from (
    select partner_uid, status, coalesce(substring(url from '^[^/]*//[^/?#]*'), url) as origin from open) as o
  group by origin order by count(*) desc, origin limit ${MAX_ORIGINS}`;

/** SQL, as `hostOf`, of a URL that is written in ASCII. */
const HOST = `regexp_replace(lower(substring(url from '^[^/]*//([^/?#]*)')), ':443$', '')`;

const COUNTED = ['retrying', 'stopped', 'exhausted', 'waiting'] as const;

type HostRow = Readonly<Record<(typeof COUNTED)[number], number>> & {
  readonly origin: string;
  readonly partners: readonly string[];
};
type Row = FoundDelivery & Record<string, unknown>;

/** Reads deliveries over all accounts, partition by partition. */
@Injectable()
export class FailingDeliveries {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly transactions: TransactionRows,
    private readonly sender: WebhookSender,
  ) {}

  /** Newest first. @param before an identifier, exclusive */
  async list(search: DeliverySearch, before: string | undefined, limit: number) {
    const { transactionId } = search;
    const home = transactionId === undefined ? undefined : partitionOf(transactionId);
    const partitions = this.partitions.all().filter((one) => transactionId === undefined || one === home);
    const { found, away } = await this.partitions.ask(partitions, (partition) => {
      if (transactionId !== undefined) return this.#ofTransaction(partition, transactionId, search, before);
      if (search.status === 'Delivered') return this.#delivered(partition, search, before, limit);
      return this.#open(partition, search, before, limit);
    });
    const rows = found.flatMap(([, one]) => one).sort((a, b) => (a.id < b.id ? 1 : -1));
    return { rows: rows.slice(0, limit), away };
  }

  /** By the index of its chain, whatever the status. */
  async #ofTransaction(
    partition: number,
    transactionId: string,
    { status, partnerUid, host }: DeliverySearch,
    before: string | undefined,
  ): Promise<Row[]> {
    const transaction = await this.transactions.find(transactionId);
    if (!transaction) return [];
    const rows = await this.database.query<Row>({
      name: 'webhook-of-transaction',
      text: `
        ${FOUND}
        where partition = $1 and chain = $2 and transaction_id = $3
        order by position desc limit ${MAX_OF_TRANSACTION}`,
      values: [partition, chainOfTransaction(transaction), transactionId],
    });
    const origins = host === undefined ? undefined : originsAt(host);
    return rows.filter(
      (row) =>
        (status === undefined ? row.status !== 'Delivered' : row.status === status) &&
        (partnerUid === undefined || row.partnerUid === partnerUid) &&
        (origins === undefined || origins.includes(originOf(row.url))) &&
        (before === undefined || row.id < before),
    );
  }

  /** Among the newest of a partition, by primary key: nearly all are delivered. */
  #delivered(
    partition: number,
    { partnerUid, host }: DeliverySearch,
    before: string | undefined,
    limit: number,
  ): Promise<Row[]> {
    return this.database.query<Row>({
      name: 'webhook-delivered',
      text: `
        with newest as materialized (
          select id, status, partner_uid, ${HOST} as host
          from webhook_delivery where partition = $1 order by id desc limit ${MAX_DELIVERED})
        ${FOUND}
        where partition = $1 and id = any(array(
          select id from newest
          where status = 'Delivered' and ($2::uuid is null or partner_uid = $2) and ($3::text is null or host = $3)
            and ($4::uuid is null or id < $4)
          order by id desc limit $5))`,
      values: [partition, partnerUid, host && (originsAt(host).map(hostOf)[0] ?? host), before, limit],
    });
  }

  async #open(
    partition: number,
    { status, partnerUid, host }: DeliverySearch,
    before: string | undefined,
    limit: number,
  ): Promise<Row[]> {
    const partners = partnerUid === undefined ? await this.#partners(partition) : [partnerUid];
    const text = `
      ${FOUND}
      where partition = $1 and id = any(array(select id from open order by id desc limit $7))`;
    const search = { partners, host, status, before };
    return this.database.query<Row>(overOpen(partition, search, { name: 'webhook-open', text, most: limit }));
  }

  async #partners(partition: number): Promise<string[]> {
    const rows = await this.database.query<{ partnerUid: string }>(openPartners(partition));
    return rows.map(({ partnerUid }) => partnerUid);
  }

  /** @returns `undefined` for an unknown one */
  async one(id: string): Promise<FoundDelivery | undefined> {
    const partition = partitionOf(id);
    if (partition === undefined) return undefined;
    const [row] = await this.database.query<Row>({
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
    const { found } = await this.partitions.ask(this.partitions.all(), async (partition) => {
      const partners = await this.#partners(partition);
      const search = { partners, host: undefined, status: undefined, before: undefined };
      const counted = { name: 'webhook-open-hosts', text: HOSTS, least: 1 };
      return this.database.query<HostRow>(overOpen(partition, search, counted));
    });
    const groups = Map.groupBy(
      found.flatMap(([, rows]) => rows),
      ({ origin }) => hostOf(origin),
    );
    const hosts = [...groups].map(([host, group]) => {
      const [retrying, stopped, exhausted, waiting] = COUNTED.map((of) => group.reduce((sum, one) => sum + one[of], 0));
      const counts = { retrying: retrying!, stopped: stopped!, exhausted: exhausted!, waiting: waiting! };
      return { host, group, counts, sum: COUNTED.reduce((sum, of) => sum + counts[of], 0) };
    });
    const first = hosts.sort((a, b) => b.sum - a.sum).slice(0, most);
    return first.map(({ host, group, counts }) => ({ host, ...counts, circuit: this.#oldestCircuit(group) }));
  }

  #oldestCircuit(group: readonly HostRow[]) {
    const open = group.flatMap(({ origin, partners }) =>
      partners.flatMap((partnerUid) => this.circuitOf({ partnerUid, url: origin }) ?? []),
    );
    return open.sort((a, b) => a.since.getTime() - b.since.getTime())[0] ?? null;
  }
}
