import { Injectable } from '@nestjs/common';
import type { TransactionState } from '../../../accounts/index.js';
import { partitionOf, type Statement } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Attempt, DeliveryStatus } from '../../domain/delivery.js';
import type { DeliveryFilters } from './deliveries.query.js';

export interface DeliveryRow {
  readonly id: string;
  readonly position: string;
  readonly transaction_id: string | null;
  readonly transaction_state: TransactionState;
  readonly url: string;
  readonly status: DeliveryStatus;
  readonly due_at: Date | null;
  readonly attempts: readonly Attempt[];
}

const COLUMNS = 'id, position, transaction_id, transaction_state, url, status, due_at, attempts';

/** Reads deliveries as partners see them. Every list is found by an index, however long the history is. */
@Injectable()
export class DeliveryRows {
  constructor(private readonly database: Database) {}

  /** Whose a delivery is; `undefined` for none. */
  async owner(partition: number, id: string): Promise<{ accountUid: string; partnerUid: string } | undefined> {
    const [row] = await this.database.query<{ account_uid: string; partner_uid: string }>({
      name: 'webhook-owner',
      text: 'select account_uid, partner_uid from webhook_delivery where partition = $1 and id = $2',
      values: [partition, id],
    });
    return row && { accountUid: row.account_uid, partnerUid: row.partner_uid };
  }

  /** Deliveries of an account before a position, newest first. */
  list(accountUid: string, filters: DeliveryFilters, before: string | null, limit: number): Promise<DeliveryRow[]> {
    const partition = partitionOf(accountUid)!;
    const { transactionId, status } = filters;
    if (transactionId !== undefined) {
      // An identifier of another partition, or of none, has no deliveries here.
      if (partitionOf(transactionId) !== partition) return Promise.resolve([]);
      return this.database.query(ofTransaction(partition, accountUid, transactionId, status, before, limit));
    }
    return this.database.query(ofAccount(partition, accountUid, status, before, limit));
  }

  /** Status of the newest delivery of each transaction that has any. */
  async statuses(partition: number, transactionIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.query<{ transaction_id: string; status: string }>({
      name: 'webhook-statuses',
      text: `
        select distinct on (d.transaction_id) d.transaction_id, d.status
        from transaction t
        join webhook_delivery d on d.partition = t.partition and d.chain = coalesce(t.refund_of, t.id)
          and d.transaction_id = t.id
        where t.partition = $1 and t.id = any($2::uuid[])
        order by d.transaction_id, d.position desc`,
      values: [partition, transactionIds],
    });
    return new Map(rows.map((row) => [row.transaction_id, row.status]));
  }
}

function ofTransaction(
  partition: number,
  accountUid: string,
  transactionId: string,
  status: DeliveryStatus | undefined,
  before: string | null,
  limit: number,
): Statement {
  return {
    name: 'webhook-log-transaction',
    text: `
      select ${COLUMNS} from webhook_delivery
      where partition = $1 and account_uid = $2 and transaction_id = $3
        and chain = (select coalesce(refund_of, id) from transaction where partition = $1 and id = $3)
        and ($4::text is null or status = $4) and position < coalesce($5::bigint, 9223372036854775807)
      order by position desc limit $6`,
    values: [partition, accountUid, transactionId, status ?? null, before, limit],
  };
}

function ofAccount(
  partition: number,
  accountUid: string,
  status: DeliveryStatus | undefined,
  before: string | null,
  limit: number,
): Statement {
  // A statement a case, so that each has the plan of its index.
  if (status === undefined || status === 'Delivered') {
    return {
      name: status ? 'webhook-log-delivered' : 'webhook-log',
      text: `
        select ${COLUMNS} from webhook_delivery
        where partition = $1 and account_uid = $2 and position < coalesce($3::bigint, 9223372036854775807)
          ${status ? `and status = 'Delivered'` : ''}
        order by position desc limit $4`,
      values: [partition, accountUid, before, limit],
    };
  }
  return {
    name: 'webhook-log-not-delivered',
    text: `
      select ${COLUMNS} from webhook_delivery
      where partition = $1 and account_uid = $2 and position < coalesce($3::bigint, 9223372036854775807)
        and status <> 'Delivered' and status = $5
      order by position desc limit $4`,
    values: [partition, accountUid, before, limit, status],
  };
}
