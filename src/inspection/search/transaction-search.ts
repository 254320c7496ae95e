import { Injectable } from '@nestjs/common';
import { refundsAfter, registeredAt, Registry, type Transaction } from '../../accounts/index.js';
import type { Viewer } from '../../auth/index.js';
import { EventLog, partitionOf, Partitions, REGISTRY_PARTITION, type Statement } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { CURSOR_KEY, decodeCursor, encodeCursor } from '../../platform/http/index.js';
import { ofAccount, ofPartner } from './account-list.js';
import { Names } from '../names/names.js';
import { showFound } from './found-transaction.js';
import { KeyedSearch } from './keyed-search.js';
import { frequentTransfers, ofAmount, ofOrder, ofSubjects, ofSummaries, rareTransfers } from './leading-index.js';
import { merged } from './merged.js';
import { isOfIndex, newestOfKinds } from './newest-of-kinds.js';
import { type Owned, OwnedTransactions } from './owned-transactions.js';
import { Persons } from './persons.js';
import type { FoundTransaction, SearchPage } from './search.answer.js';
import type { SearchFilters } from './search-filters.js';
import { FOLLOWED, unfollowed } from './unfollowed.js';
import { type Found, hasTransfersAtOnce, unnamed, type Window } from './window.js';
import { unlessMissing } from '../unless-missing.js';

const NOTHING: SearchPage = { items: [], nextCursor: null, partitionsAway: [] };
const MAX_REFUNDS = 100;
const LAST_POSITION = '9223372036854775807';

/** The statements for each partition, in the order in which they are read. */
interface Statements {
  readonly statements: ReadonlyMap<number, readonly Statement[]>;
  readonly away: readonly number[];
}

/**
 * Finds transactions by filters. Each search uses the most selective index that its filters allow, and examines a
 * bounded number of rows: a page may be short and have a next one.
 */
@Injectable()
export class TransactionSearch {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly log: EventLog,
    private readonly keyed: KeyedSearch,
    private readonly owned: OwnedTransactions,
    private readonly persons: Persons,
    private readonly partitions: Partitions,
    private readonly names: Names,
  ) {}

  /** @throws ValidationError for a cursor of another search */
  async find(viewer: Viewer, given: SearchFilters, limit: number, cursor: string | undefined): Promise<SearchPage> {
    const list = ['search', viewer.partnerUid, ...Object.values(given).map(asText)];
    const filters = narrowed(viewer, given);
    const shape = filters && isByPosition(filters) ? CURSOR_KEY.position : CURSOR_KEY.id;
    const before = decodeCursor(list, cursor, shape);
    const partitions = filters && (await this.#partitionsOf(filters));
    if (!partitions) return NOTHING;
    const keyed = await this.keyed.find(filters, partitions);
    if (keyed) {
      const items = await this.#shown(keyed.owned, filters);
      return { items, nextCursor: null, partitionsAway: keyed.away };
    }
    const window = { ...filters, lists: partitions.length, before, limit: limit + 1 };
    const { statements, away: unknown } = await this.#statements(filters, partitions, window);
    const { found, away } = await this.partitions.ask([...statements.keys()], async (partition) => {
      const rows = [...(await this.#transfersOfAmount(partition, filters, window))];
      for (const statement of statements.get(partition)!) rows.push(...(await this.#found(statement)));
      return rows;
    });
    const keyOf = ({ id, position }: Found) => (isByPosition(filters) ? position : id);
    const { rows, edge } = merged(
      found.map(([, answer]) => (isOfOthers(viewer, filters) ? answer.map((row) => unnamed(row, before)) : answer)),
      isByPosition(filters),
    );
    const shown = rows.slice(0, limit);
    const next = rows.length > limit ? shown.at(-1) : edge;
    const { owned, away: lost } = await this.owned.of(shown.map(({ id }) => id));
    return {
      items: await this.#shown(owned, filters),
      nextCursor: next ? encodeCursor(list, keyOf(next)) : null,
      partitionsAway: [...unknown, ...away, ...lost].sort((a, b) => a - b),
    };
  }

  /** Transactions by the tail of their identifier, newest first. @param tail 12 lower-case hex digits */
  async endingIn(viewer: Viewer, tail: string, limit: number): Promise<SearchPage> {
    const filters = narrowed(viewer, {})!;
    const partitions = (await this.#partitionsOf(filters)) ?? [];
    const { found, away } = await this.partitions.ask(partitions, (partition) =>
      this.database.query<{ id: string }>({
        // With the position: by identifiers alone the whole primary key might be read instead of pages that may match.
        name: 'search-tail',
        text: `
          with found as materialized (
            select id, position from transaction
            where ${ofSummaries(this.database.isSpread)} and right(id::text, 12) = $2)
          select id from found order by id desc limit $3`,
        values: [partition, tail, limit],
      }),
    );
    const { owned, away: lost } = await this.owned.of(found.flatMap(([, rows]) => rows.map(({ id }) => id)));
    return { items: await this.#shown(owned, filters), nextCursor: null, partitionsAway: [...away, ...lost] };
  }

  /** Refunds of a transaction, oldest first; those that the index does not have yet from the newest of the account. */
  async refundsOf({ id, accountUid }: Pick<Transaction, 'id' | 'accountUid'>): Promise<FoundTransaction[]> {
    const found = await this.database.query<{ id: string }>({
      name: 'search-refunds',
      text: `
        select id from transaction_search
        where partition = $1 and refund_of = $2
        union
        select id from (${refundsAfter(FOLLOWED, '$3', '$2')}) as r
        order by id limit ${MAX_REFUNDS}`,
      values: [partitionOf(id), id, accountUid],
    });
    return this.#shown((await this.owned.of(found.map((one) => one.id))).owned, {});
  }

  /** The index lags behind the log: each transaction's own row decides whether it still matches. */
  async #shown(owned: readonly Owned[], filters: SearchFilters): Promise<FoundTransaction[]> {
    const fitting = owned.filter((one) => fits(one, filters));
    const partners = await this.names.partners(fitting.map(({ owner }) => owner.partnerUid));
    return fitting.map(({ transaction, owner }) =>
      showFound(transaction, { ...owner, partnerName: partners.get(owner.partnerUid) ?? null }),
    );
  }

  /** The partitions to search; `undefined` if nothing can match. */
  async #partitionsOf({ partnerUid, accountUid }: SearchFilters): Promise<readonly number[] | undefined> {
    if (accountUid !== undefined) {
      const account = await unlessMissing(this.registry.account(accountUid));
      const visible = account && (partnerUid === undefined || account.partnerUid === partnerUid);
      return visible ? [partitionOf(accountUid)!] : undefined;
    }
    if (partnerUid !== undefined) {
      const partner = await unlessMissing(this.registry.partner(partnerUid));
      return partner && [partner.homePartition];
    }
    return this.partitions.all().filter((partition) => partition !== REGISTRY_PARTITION);
  }

  /** The statements of the most selective index; none if nothing can match. Those that find what it lacks are first. */
  async #statements(filters: SearchFilters, partitions: readonly number[], window: Window): Promise<Statements> {
    const ofEach = (ofOne: (partition: number) => readonly Statement[]): Statements => ({
      statements: new Map(partitions.map((partition) => [partition, ofOne(partition)])),
      away: [],
    });
    const byIndex = (statement: (partition: number, window: Window) => Statement) =>
      ofEach((partition) => [unfollowed(partition, window), statement(partition, window)]);
    const { taxNumber, orderId, accountUid, amount, partnerUid, from, to } = filters;
    if (isByPosition(filters)) {
      const [partition] = partitions;
      const at = (time: Date | undefined) => time && this.log.firstPositionAt(partition!, time);
      const [first, end] = await Promise.all([at(from), at(to)]);
      const range = [first ?? '0', end ?? LAST_POSITION] as const;
      return ofEach(() => [
        accountUid === undefined
          ? ofPartner(partition!, partnerUid!, window, range)
          : ofAccount(accountUid, window, range),
      ]);
    }
    if (taxNumber !== undefined) {
      const { found, away } = await this.persons.subjectsOf(taxNumber, partnerUid);
      const lists = found.reduce((sum, [, subjects]) => sum + subjects.length, 0);
      const ofOne = ([partition, subjects]: readonly [number, readonly string[]]) =>
        [
          partition,
          [unfollowed(partition, window, subjects), ofSubjects(partition, subjects, { ...window, lists })],
        ] as const;
      return { statements: new Map(found.map(ofOne)), away };
    }
    if (orderId !== undefined) return byIndex(ofOrder);
    if (amount !== undefined) return byIndex(ofAmount);
    return isOfIndex(filters) ? byIndex(newestOfKinds) : ofEach((partition) => [newestOfKinds(partition, window)]);
  }

  #found(statement: Statement): Promise<(Found & Record<string, unknown>)[]> {
    return this.database.query<Found & Record<string, unknown>>(statement);
  }

  /** Transfers made at once of an amount: payments of it are in the index, which is read after them. */
  async #transfersOfAmount(partition: number, filters: SearchFilters, window: Window): Promise<readonly Found[]> {
    const { amount, orderId, taxNumber } = filters;
    const isAsked = amount !== undefined && orderId === undefined && taxNumber === undefined;
    if (!isAsked || isByPosition(filters) || !hasTransfersAtOnce(filters)) return [];
    const newest = await this.#found(frequentTransfers(partition, window));
    return newest.length === window.limit
      ? newest
      : this.#found(rareTransfers(partition, window, this.database.isSpread));
  }
}

/**
 * An account's own list, and a partner's with transfers made at once, are ordered by position; all others by
 * identifier.
 */
function isByPosition(filters: SearchFilters): boolean {
  const { accountUid, partnerUid, taxNumber, orderId, amount } = filters;
  if (taxNumber !== undefined) return false;
  if (accountUid !== undefined) return true;
  return partnerUid !== undefined && orderId === undefined && amount === undefined && hasTransfersAtOnce(filters);
}

/** Whether a limited viewer's search examines rows of other partners: the indexes of orders and amounts have all. */
function isOfOthers(viewer: Viewer, { accountUid, taxNumber, orderId, amount }: SearchFilters): boolean {
  const isByValue = accountUid === undefined && taxNumber === undefined && (orderId ?? amount) !== undefined;
  return viewer.partnerUid !== null && isByValue;
}

function asText(filter: unknown): string {
  return filter instanceof Date ? filter.toISOString() : String(filter);
}

/** The filters with the viewer's own restriction; `undefined` if they contradict it. */
function narrowed({ partnerUid }: Viewer, filters: SearchFilters): SearchFilters | undefined {
  if (partnerUid === null) return filters;
  return filters.partnerUid === undefined || filters.partnerUid === partnerUid ? { ...filters, partnerUid } : undefined;
}

function fits({ transaction, owner: { partnerUid } }: Owned, filters: SearchFilters): boolean {
  const { type, state, accountUid, counterpartyUid, amount, orderId, endToEndId } = transaction;
  const is = <T>(wanted: T | undefined, found: T) => wanted === undefined || wanted === found;
  const time = new Date(registeredAt(transaction));
  return (
    is(filters.type, type) &&
    is(filters.state, state) &&
    is(filters.partnerUid, partnerUid) &&
    is(filters.amount, amount) &&
    is<string | null>(filters.orderId, orderId) &&
    is<string | null>(filters.endToEndId, endToEndId) &&
    (filters.accountUid === undefined || [accountUid, counterpartyUid].includes(filters.accountUid)) &&
    (filters.from === undefined || time >= filters.from) &&
    (filters.to === undefined || time < filters.to)
  );
}
