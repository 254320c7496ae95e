import { Injectable } from '@nestjs/common';
import { type Account, Registry, type Transaction } from '../../accounts/index.js';
import { partitionOf, Partitions, REGISTRY_PARTITION, type Sealed, SubjectVault } from '../../event-store/index.js';
import { DatabaseUnavailable } from '../../platform/database/index.js';
import { PARTIES } from '../projection/changes.js';
import { unlessMissing } from '../unless-missing.js';

/** The partner and the parties of a transaction. A name is `null` if its person was forgotten, or unknown. */
export interface Owner {
  readonly partnerUid: string;
  readonly accountName: string | null;
  /** The other account's holder, or the payer or payee. */
  readonly counterpartyName: string | null;
}

/** Decrypts the names in lists and views: a bounded number of keyed reads for a page, whatever its length. */
@Injectable()
export class Names {
  constructor(
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
    private readonly partitions: Partitions,
  ) {}

  /** @param transactions of that partition */
  async owners(partition: number, transactions: readonly Transaction[]): Promise<Map<string, Owner>> {
    const uids = transactions.flatMap(({ accountUid, counterpartyUid }) => [accountUid, counterpartyUid ?? accountUid]);
    const accounts = await this.registry.accounts(partition, [...new Set(uids)]);
    const nameOf = await this.#opener(
      partition,
      [...[...accounts.values()].map(holderOf), ...transactions.map(partyOf)].flatMap((one) => one ?? []),
    );
    return new Map(
      transactions.map((transaction) => {
        const { id, accountUid, counterpartyUid } = transaction;
        const account = accounts.get(accountUid)!;
        const other = counterpartyUid === null ? partyOf(transaction) : holderOf(accounts.get(counterpartyUid));
        const owner = { accountName: nameOf(holderOf(account)), counterpartyName: nameOf(other) };
        return [id, { partnerUid: account.partnerUid, ...owner }];
      }),
    );
  }

  /** Names of accounts of one partition. */
  async accounts(partition: number, accounts: readonly Account[]): Promise<Map<string, string | null>> {
    const nameOf = await this.#opener(
      partition,
      accounts.flatMap((one) => holderOf(one) ?? []),
    );
    return new Map(accounts.map((account) => [account.uid, nameOf(holderOf(account))]));
  }

  /** Accounts with their holders, over partitions. @param away called for partitions that did not answer */
  async holders(uids: readonly string[], away: (partition: number) => void) {
    const groups = Map.groupBy(uids, (uid) => partitionOf(uid)!);
    const answers = await this.partitions.ask([...groups.keys()], async (partition) => {
      const accounts = [...(await this.registry.accounts(partition, groups.get(partition)!)).values()];
      const held = accounts.filter(({ holder }) => holder !== null);
      const holders = await this.vault.openAll(
        partition,
        held.map(({ holder }) => holder!),
      );
      return held.map((account, i) => [account.uid, { account, holder: holders[i] ?? null }] as const);
    });
    answers.away.forEach(away);
    return new Map(answers.found.flatMap(([, found]) => found));
  }

  /** Names of known partners. They are optional in lists: `null` while the registry is unavailable. */
  async partners(uids: readonly string[]): Promise<Map<string, string | null>> {
    const wanted = [...new Set(uids)];
    try {
      const partners = (await Promise.all(wanted.map((uid) => unlessMissing(this.registry.partner(uid))))).flatMap(
        (one) => one ?? [],
      );
      const nameOf = await this.#opener(
        REGISTRY_PARTITION,
        partners.map(({ holder }) => holder),
      );
      return new Map(partners.map(({ uid, holder }) => [uid, nameOf(holder)]));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return new Map(wanted.map((uid) => [uid, null]));
      throw error;
    }
  }

  async #opener(partition: number, sealed: readonly Sealed<Named>[]) {
    const opened = await this.vault.openAll(partition, sealed);
    const names = new Map(sealed.map((one, i) => [one, opened[i]?.name || null]));
    return (one: Sealed<Named> | undefined) => (one && names.get(one)) ?? null;
  }
}

interface Named {
  readonly name?: string;
}

function holderOf(account: Account | undefined): Sealed<Named> | undefined {
  return account?.holder ?? undefined;
}

function partyOf({ details }: Transaction): Sealed<Named> | undefined {
  const found = PARTIES.map((member) => details?.[member]).find((member) => member !== undefined && member !== null);
  return found as Sealed<Named> | undefined;
}
