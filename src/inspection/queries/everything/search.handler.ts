import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Registry } from '../../../accounts/index.js';
import { AccessKeys, maySee, type Viewer } from '../../../auth/index.js';
import { type PartitionAnswers, partitionOf } from '../../../event-store/index.js';
import { readQuery } from '../../../platform/http/index.js';
import { Directory, type DirectoryEntry } from '../../directory/directory.js';
import { type DirectoryKind, TERMS } from '../../directory/words.js';
import { Names } from '../../names/names.js';
import type { SearchPage } from '../../search/search.answer.js';
import { SearchQuery, toFilters } from '../../search/search-filters.js';
import { TransactionSearch } from '../../search/transaction-search.js';
import { type Readings, readingsOf } from './readings.js';
import type { FoundBy, FoundEverything, TransactionGroup } from './search.answer.js';
import { SearchEverything } from './search.query.js';
import { unlessMissing } from '../../unless-missing.js';

interface Hit extends DirectoryEntry {
  readonly by: FoundBy;
}

/** Results of each meaning; the filtered list has the rest. */
const MAX = 20;

/** Searches for every meaning of a text, one after the other; each is a keyed or bounded read. */
@QueryHandler(SearchEverything)
export class SearchEverythingHandler implements IQueryHandler<SearchEverything> {
  constructor(
    private readonly transactions: TransactionSearch,
    private readonly directory: Directory,
    private readonly registry: Registry,
    private readonly keys: AccessKeys,
    private readonly names: Names,
  ) {}

  async execute({ viewer, text }: SearchEverything): Promise<FoundEverything> {
    const readings = readingsOf(text);
    const away = new Set<number>();
    const groups = await this.#transactions(viewer, readings, away);
    const hits = await this.#hits(viewer, readings, away);
    const of = (kind: DirectoryKind) => hits.filter((hit) => hit.kind === kind).slice(0, MAX);
    const [accounts, keys] = [await this.#accounts(of('Account'), away), await this.#keys(of('AccessKey'))];
    const partners = await this.names.partners(
      [...of('Partner'), ...of('Account')].map(({ partnerUid }) => partnerUid),
    );
    const partnerName = (uid: string) => partners.get(uid) ?? null;
    return {
      transactions: groups,
      partners: of('Partner').flatMap(({ by, uid, partnerUid }) =>
        uid === partnerUid ? [{ by, uid, name: partnerName(uid) }] : [],
      ),
      accounts: accounts.map((account) => ({ ...account, partnerName: partnerName(account.partnerUid) })),
      accessKeys: keys,
      partitionsAway: [...away].sort((a, b) => a - b),
    };
  }

  /** Each transaction once, under the first meaning that found it. */
  async #transactions(viewer: Viewer, readings: Readings, away: Set<number>): Promise<TransactionGroup[]> {
    const { ids, tail, endToEndIds, orderIds, taxNumber, amount } = readings;
    const filtersOf = (by: FoundBy, value: string) => toFilters(readQuery(SearchQuery, { [by]: value }));
    const filtered = (by: FoundBy, value: string) =>
      [by, value, () => this.transactions.find(viewer, filtersOf(by, value), MAX, undefined)] as const;
    const asked: (readonly [by: FoundBy, value: string, ask: () => Promise<SearchPage>])[] = [
      ...ids.map((id) => filtered('id', id)),
      ...(tail === undefined ? [] : [['tail', tail, () => this.transactions.endingIn(viewer, tail, MAX)] as const]),
      ...endToEndIds.map((one) => filtered('endToEndId', one)),
      ...orderIds.map((one) => filtered('orderId', one)),
      ...(taxNumber === undefined ? [] : [filtered('taxNumber', taxNumber)]),
      ...(amount === undefined ? [] : [filtered('amount', amount)]),
    ];
    const seen = new Set<string>();
    const groups: TransactionGroup[] = [];
    for (const [by, value, ask] of asked) {
      const { items, nextCursor, partitionsAway } = await ask();
      partitionsAway.forEach((partition) => away.add(partition));
      const fresh = items.filter(({ id }) => !seen.has(id));
      fresh.forEach(({ id }) => seen.add(id));
      const more = nextCursor !== null;
      if (fresh.length > 0 || more) groups.push({ by, value, items: fresh, more });
    }
    return groups;
  }

  /** Each partner, account and key once. */
  async #hits(viewer: Viewer, readings: Readings, away: Set<number>): Promise<Hit[]> {
    const { ids, tail, taxNumber, accountNumber, words } = readings;
    const hits = new Map<string, Hit>();
    const add = (by: FoundBy, entries: readonly DirectoryEntry[]) => {
      for (const entry of entries) if (!hits.has(entry.uid)) hits.set(entry.uid, { ...entry, by });
    };
    for (const id of ids) add('id', await this.#byId(viewer, id));
    const asked: [by: FoundBy, terms: readonly string[]][] = [
      ['taxNumber', taxNumber === undefined ? [] : [TERMS.taxNumber(taxNumber)]],
      ['accountNumber', accountNumber === undefined ? [] : [TERMS.accountNumber(accountNumber)]],
      ['name', words.map(TERMS.word)],
    ];
    const take = (by: FoundBy, answers: PartitionAnswers<readonly DirectoryEntry[]>) => {
      answers.away.forEach((partition) => away.add(partition));
      answers.found.forEach(([, entries]) => add(by, entries));
    };
    if (tail !== undefined) take('tail', await this.directory.endingIn(viewer, tail, MAX));
    for (const [by, terms] of asked) take(by, await this.directory.find(viewer, terms, MAX));
    return [...hits.values()];
  }

  async #byId(viewer: Viewer, uid: string): Promise<DirectoryEntry[]> {
    if (partitionOf(uid) === undefined) return [];
    const [partner, account, key] = await Promise.all([
      unlessMissing(this.registry.partner(uid)),
      unlessMissing(this.registry.account(uid)),
      this.keys.find(uid),
    ]);
    const entries: DirectoryEntry[] = [
      ...(partner ? [{ kind: 'Partner', uid, partnerUid: uid } as const] : []),
      ...(account ? [{ kind: 'Account', uid, partnerUid: account.partnerUid } as const] : []),
      ...(key ? [{ kind: 'AccessKey', uid, partnerUid: key.partnerUid } as const] : []),
    ];
    return entries.filter(({ partnerUid }) => maySee(viewer, partnerUid));
  }

  /**
   * The directory says who may find an account or a key. What is shown is theirs: nothing compares each of its rows.
   */
  async #accounts(hits: readonly Hit[], away: Set<number>) {
    const holders = await this.names.holders(
      hits.map(({ uid }) => uid),
      (partition) => away.add(partition),
    );
    return hits.flatMap(({ by, uid, partnerUid }) => {
      const found = holders.get(uid);
      if (found?.account.partnerUid !== partnerUid) return [];
      const { account, holder } = found;
      const { name = '', branch = '', number = '', digit = '' } = holder ?? {};
      return [{ by, uid, name: name || null, partnerUid, branch, number, digit, status: account.status }];
    });
  }

  async #keys(hits: readonly Hit[]) {
    const keys = await Promise.all(hits.map(({ uid }) => this.keys.find(uid)));
    return hits.flatMap(({ by, uid, partnerUid }, i) => {
      const key = keys[i];
      return key?.partnerUid === partnerUid
        ? [{ by, accessKey: uid, name: key.name, accountUid: key.accountUid, status: key.status }]
        : [];
    });
  }
}
