import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  EventLog,
  type EventOf,
  type Folded,
  RegistryTail,
  partitionOf,
  REGISTRY_PARTITION,
  RegistryCache,
  SubjectForgotten,
  type SubjectRef,
  SubjectVault,
  WholeStreams,
} from '../event-store/index.js';
import { taxpayer } from './domain/subjects.js';
import { Database } from '../platform/database/index.js';
import { EntityNotFound } from '../platform/errors/index.js';
import { accountProjection, accountTable } from './account.projection.js';
import type { Account } from './domain/account.js';
import { type AccountClass, AccountOpened, type AccountType, type Holder } from './domain/account.events.js';
import { evolvePartner, isPartnerEvent, type Partner, type PartnerEvent } from './domain/partner.js';
import { type PayoutLimits, withDefaults } from './domain/payout-limits.js';
import { parsePartner, partnerProjection } from './partner.projection.js';

/** The immutable facts of an account, and its holder. */
export interface AccountFacts {
  readonly uid: string;
  readonly partnerUid: string;
  readonly type: AccountType;
  readonly class: AccountClass;
  readonly openedAt: Date;
  readonly holder: Holder;
  /** The data subject of this account's descriptions and reasons. */
  readonly owner: SubjectRef;
}

/**
 * Facts have a person's name and tax number. `SubjectForgotten` clears them; where that event is missing, because
 * `ledger forget` ended too early, they are used for about as long as this. They never change: an account in use costs
 * a keyed read a minute, a service with all of them in use less than 200 a second.
 */
const FACTS_MS = 60_000;
/** Every payment asks for facts: the clock is read once a second, not each time. */
const FACTS = { max: 10_000, ttl: FACTS_MS, ttlResolution: 1_000 };

/** Keyed reads of partners and accounts, for the handlers of every module. */
@Injectable()
export class Registry {
  readonly #partners: RegistryCache<Partner>;
  readonly #facts = new LRUCache<string, Promise<AccountFacts>>(FACTS);

  constructor(
    private readonly database: Database,
    private readonly vault: SubjectVault,
    private readonly log: EventLog,
    private readonly streams: WholeStreams,
    tail: RegistryTail,
  ) {
    this.#partners = new RegistryCache(tail, {
      staleBy: (event) => (isPartnerEvent(event) ? event.data.uid : undefined),
      logged: (uid) => this.#loggedPartner(uid),
      copied: (uid) => this.#copiedPartner(uid),
    });
    const clearPersonalData = () => {
      this.#facts.clear();
      vault.clear();
    };
    tail.onEvent((event) => SubjectForgotten.is(event) && clearPersonalData());
    tail.onReset(clearPersonalData);
  }

  /**
   * The partner, with changes of the last poll interval possibly missing. @throws EntityNotFound, ServiceUnavailable
   */
  async partner(uid: string): Promise<Partner> {
    const partner = partitionOf(uid) === REGISTRY_PARTITION ? await this.#partners.get(uid) : undefined;
    if (!partner) throw new EntityNotFound('PartnerEntity', 'uid', uid);
    return partner;
  }

  /** The current state of a partner's own account. @throws EntityNotFound for none, and for system accounts */
  async account(uid: string): Promise<Account> {
    const partition = partitionOf(uid);
    const [row] = partition === undefined ? [] : await this.database.query(accountProjection.load(partition, [uid]));
    const account = row && accountTable.parse(row);
    if (!account || account.system) throw new EntityNotFound('CustomerAccountEntity', 'uid', uid);
    return account;
  }

  /** The limits of an account's next payout: its own, and its partner's defaults where it has none. */
  async payoutLimits({ partnerUid, payoutLimits }: Account): Promise<PayoutLimits | null> {
    const { settings } = await this.partner(partnerUid);
    return withDefaults(payoutLimits, settings.payoutLimits);
  }

  /** The current state of accounts of one partition by uid, system accounts included. */
  async accounts(partition: number, uids: readonly string[]): Promise<Map<string, Account>> {
    const rows = uids.length === 0 ? [] : await this.database.query(accountProjection.load(partition, uids));
    return new Map(rows.map(accountTable.parse).map((account) => [account.uid, account]));
  }

  /** Holder of an account, decrypted; empty texts after the subject was erased. */
  async holderOf(account: Pick<Account, 'uid' | 'holder'>): Promise<Holder> {
    const holder = account.holder && (await this.vault.open(partitionOf(account.uid)!, account.holder));
    return holder ?? FORGOTTEN;
  }

  /** The immutable facts of an account: read once a minute, concurrent callers included. @throws EntityNotFound */
  facts(uid: string): Promise<AccountFacts> {
    let facts = this.#facts.get(uid);
    if (!facts) {
      facts = this.#loadFacts(uid);
      this.#facts.set(uid, facts);
      facts.catch(() => this.#facts.delete(uid));
    }
    return facts;
  }

  async #loadFacts(uid: string): Promise<AccountFacts> {
    const opened = await this.#openingOf(uid);
    if (!opened) throw new EntityNotFound('CustomerAccountEntity', 'uid', uid);
    const { data, time: openedAt } = opened;
    const holder = await this.holderOf(data);
    const { partnerUid, type, class: accountClass } = data;
    const owner = taxpayer(partnerUid, holder.taxNumber);
    return { uid, partnerUid, type, class: accountClass, openedAt, holder, owner };
  }

  /** The event that says who has an account. Its row may be changed for a moment. */
  async #openingOf(uid: string): Promise<EventOf<typeof AccountOpened> | undefined> {
    const partition = partitionOf(uid);
    const [event] = partition === undefined ? [] : await this.log.readStream(partition, `account-${uid}`, 0, 1);
    return event && AccountOpened.is(event) && event.data.uid === uid ? event : undefined;
  }

  #loggedPartner(uid: string): Promise<Folded<Partner> | undefined> {
    return this.streams.foldUpTo<Partner>(REGISTRY_PARTITION, { what: 'partner', id: uid }, (partner, event) =>
      evolvePartner(partner, event as PartnerEvent),
    );
  }

  async #copiedPartner(uid: string): Promise<Partner | undefined> {
    const [row] = await this.database.query(partnerProjection.load(REGISTRY_PARTITION, [uid]));
    return row && parsePartner(row);
  }
}

export const FORGOTTEN: Holder = { name: '', taxNumber: '', branch: '', number: '', digit: '' };
