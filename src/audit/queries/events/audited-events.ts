import { Injectable } from '@nestjs/common';
import {
  accountProjection,
  ENTRIES_FOLLOWED,
  refundsAfter,
  transactionTable,
  transactionProjection,
} from '../../../accounts/index.js';
import { maySee } from '../../../auth/index.js';
import {
  checkpointOf,
  IN_STREAM_INDEX,
  parseEventRows,
  partitionOf,
  type StoredEvent,
  withTexts,
} from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { VisiblePartitions } from '../../auditors/visible-partitions.js';
import type { AuditReader } from '../../domain/auditor.js';
import { PartnerOfEvents } from '../../log/partner-of-events.js';

const COLUMNS = `e.partition, e.position, e.event_id, e.stream, e.version, e.type, e.schema_version, e.time,
  e.data::text as data, e.metadata::text as metadata, e.leaf, e.ahead`;

/** SQL: up to which position the search has the transactions of partition `$1`. */
const SEARCH_FOLLOWED = checkpointOf('transaction-search');

/** A page of events, and where the next one begins; `null` at the end. */
export interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly next: string | null;
}

/** Events that an auditor may see, by keyed reads: limited to a partner, only that partner's. */
@Injectable()
export class AuditedEvents {
  constructor(
    private readonly database: Database,
    private readonly partners: PartnerOfEvents,
    private readonly partitions: VisiblePartitions,
  ) {}

  /** A partition's events after a position; those of other partners are left out of the page. @throws EntityNotFound */
  async ofPartition(auditor: AuditReader, partition: number, after: bigint, limit: number): Promise<EventPage> {
    await this.partitions.assert(auditor, partition);
    const events = await this.#read(
      'audit-events',
      `where e.partition = $1 and e.position > $2 order by e.position limit $3`,
      [partition, after, limit],
    );
    const next = events.length === limit ? String(events.at(-1)!.position) : null;
    return { events: await this.#visible(auditor, partition, events), next };
  }

  /** One event. @throws EntityNotFound, for one of another partner too */
  async at(auditor: AuditReader, partition: number, position: bigint): Promise<StoredEvent> {
    const events = await this.#read('audit-event-at', 'where e.partition = $1 and e.position = $2', [
      partition,
      position,
    ]);
    const [event] = await this.#visible(auditor, partition, events);
    if (!event) throw new EntityNotFound('EventEntity', 'position', String(position));
    return event;
  }

  /**
   * Events that opened or changed an account, or moved money on it. The cursor: last stream version and position. Of
   * its transactions, those are looked at that are as old as the entries of the page. Whatever is newer than what
   * `entry` has is left out: a page that showed it would pass over those entries for ever.
   */
  async ofAccount(auditor: AuditReader, uid: string, cursor: string | undefined, limit: number): Promise<EventPage> {
    const partition = await this.assertAccount(auditor, uid);
    const [version = 0, position = 0] = (cursor ?? '').split('/').map(Number);
    const made = (account: string) => `
          (select position, null from transaction
           where partition = $1 and ${account} = $2 and entry is not null
             and position > $6 and position <= (select last from bounds)
           order by position limit $5)`;
    const rows = await this.database.query<{ position: string; version: number | null }>({
      name: 'audit-account-positions',
      text: `
        with apart as materialized (
          select distinct position from entry
          where partition = $1 and account_uid = $2 and position > $6
          order by position limit $5),
        bounds as materialized (
          select case when count(*) < $5 then ${ENTRIES_FOLLOWED} else max(position) end as last
          from apart)
        select position, max(version) as version
        from (
          (select position, null::int as version from apart)
          union all ${made('account_uid')}
          union all ${made('counterparty_uid')}
          union all
          (select position, version from event
           where partition = $1 and stream = $4 and version > $3 and position > $6 and ${IN_STREAM_INDEX}
             and position <= (select last from bounds)
           order by version limit $5)
        ) as moved
        group by position order by position limit $5`,
      values: [partition, uid, version, `account-${uid}`, limit, position],
    });
    const events = await this.#read(
      'audit-events-at',
      'where e.partition = $1 and e.position = any($2::bigint[]) order by e.position',
      [partition, rows.map(({ position }) => position)],
    );
    const shown = rows.reduce((most, row) => Math.max(most, row.version ?? 0), version);
    return { events, next: rows.length === limit ? `${shown}/${rows.at(-1)!.position}` : null };
  }

  /**
   * A transaction's events: of its stream, of its refunds, and of payments that were returned for it. Refunds that the
   * search does not have yet are among the newest transactions of the account.
   */
  async ofTransaction(auditor: AuditReader, id: string, after: bigint, limit: number): Promise<EventPage> {
    const partition = partitionOf(id);
    const missing = new EntityNotFound('TransactionEntity', 'id', id);
    if (partition === undefined) throw missing;
    const [row] = await this.database.query(transactionProjection.load(partition, [id]));
    if (!row) throw missing;
    const { accountUid, position } = transactionTable.parse(row);
    await this.assertAccount(auditor, accountUid, missing);
    const events = await this.#read(
      'audit-transaction-events',
      `where e.partition = $1 and e.position > $4 and e.position in (
         select $2::bigint
         union all
         select position from event where partition = $1 and ${IN_STREAM_INDEX} and stream in (
           select f.stream from event f where f.partition = $1 and f.position = $2
           union all
           select f.stream from transaction_search r join event f on f.partition = $1 and f.position = r.position
           where r.partition = $1 and r.refund_of = $3
           union all
           select f.stream from (${refundsAfter(SEARCH_FOLLOWED, '$7', '$3')}) as r
           cross join lateral (
             select stream from event where partition = $1 and position = r.position limit 1) as f
           union all
           select unnest($6::text[])))
       order by e.position limit $5`,
      [partition, position, id, after, limit, await this.#returnsOf(partition, position), accountUid],
    );
    return { events, next: events.length === limit ? String(events.at(-1)!.position) : null };
  }

  /** Streams of payments that were returned for a transaction: its own events name them. */
  async #returnsOf(partition: number, position: bigint): Promise<string[]> {
    const own = await this.#read(
      'audit-own-events',
      `where e.partition = $1 and not (e.type = 'TransferSettled' and e.version = 1)
         and e.stream = (select f.stream from event f where f.partition = $1 and f.position = $2)`,
      [partition, position],
    );
    return own.flatMap(({ data }) => {
      const { returnId } = JSON.parse(data) as { returnId?: string };
      return returnId === undefined || returnId === null ? [] : [`return-${returnId}`];
    });
  }

  /** @returns the account's partition. @throws EntityNotFound for one that the auditor may not see */
  async assertAccount(
    auditor: AuditReader,
    uid: string,
    missing: EntityNotFound = new EntityNotFound('CustomerAccountEntity', 'uid', uid),
  ): Promise<number> {
    const partition = partitionOf(uid);
    const [row] = partition === undefined ? [] : await this.database.query(accountProjection.load(partition, [uid]));
    const account = row && accountProjection.parse(row);
    if (!account || !maySee(auditor, account.partnerUid)) throw missing;
    return partition!;
  }

  async #visible(
    auditor: AuditReader,
    partition: number,
    events: readonly StoredEvent[],
  ): Promise<readonly StoredEvent[]> {
    if (auditor.partnerUid === null) return events;
    const owners = await this.partners.of(partition, events);
    return events.filter((_event, i) => owners[i] === auditor.partnerUid);
  }

  async #read(name: string, condition: string, values: unknown[]): Promise<StoredEvent[]> {
    const rows = await this.database.query({
      name,
      text: withTexts(`select ${COLUMNS} from event e ${condition}`),
      values,
    });
    return parseEventRows(rows);
  }
}
