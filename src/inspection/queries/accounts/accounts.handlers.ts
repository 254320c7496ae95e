import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  type Account,
  type AccountView,
  GetAccount,
  GetStatement,
  ListAccounts,
  Registry,
  type StatementQuery,
  TransactionRows,
} from '../../../accounts/index.js';
import type { Viewer } from '../../../auth/index.js';
import { partitionOf } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { Page } from '../../../platform/http/index.js';
import { Names } from '../../names/names.js';
import type { InspectedAccount, InspectedStatementLine } from './accounts.answer.js';

/** Accounts for those who look at the accounts of others. What a viewer may not see does not exist for them. */
@Injectable()
export class InspectedAccounts {
  constructor(
    private readonly registry: Registry,
    private readonly queries: QueryBus,
    private readonly rows: TransactionRows,
    private readonly names: Names,
  ) {}

  /** @throws EntityNotFound */
  async get(viewer: Viewer, uid: string): Promise<InspectedAccount> {
    const account = await this.#visible(viewer, uid);
    return show(account, await this.queries.execute(new GetAccount(uid)));
  }

  /** @returns whose it is and where. @throws EntityNotFound for an account that is not there, or not to be seen */
  async assertVisible(viewer: Viewer, uid: string): Promise<{ partnerUid: string; partition: number }> {
    const { partnerUid } = await this.#visible(viewer, uid);
    return { partnerUid, partition: partitionOf(uid)! };
  }

  /** Newest first, with the names of a page's people read at once. @throws EntityNotFound */
  async statement(
    viewer: Viewer,
    uid: string,
    { from, to, limit, cursor }: StatementQuery,
  ): Promise<Page<InspectedStatementLine>> {
    const { partnerUid, partition } = await this.assertVisible(viewer, uid);
    const page = await this.queries.execute(new GetStatement(partnerUid, uid, from, to, limit, cursor));
    const ids = new Set(page.items.flatMap(({ transactionId }) => transactionId ?? []));
    const transactions = new Map((await this.rows.some(partition, [...ids])).map((one) => [one.id, one]));
    const owners = await this.names.owners(partition, [...transactions.values()]);
    const otherSide = (id: string | null) => {
      const owner = id === null ? undefined : owners.get(id);
      if (!owner) return null;
      // A transfer has one transaction, the payer's.
      return transactions.get(id!)!.accountUid === uid ? owner.counterpartyName : owner.accountName;
    };
    return {
      ...page,
      items: page.items.map((line) => ({ ...line, counterpartyName: otherSide(line.transactionId) })),
    };
  }

  /** Oldest first. @throws EntityNotFound for a partner that is not there, or not to be seen */
  async ofPartner(
    viewer: Viewer,
    partnerUid: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<InspectedAccount>> {
    if (viewer.partnerUid !== null && viewer.partnerUid !== partnerUid) {
      throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
    }
    const { homePartition } = await this.registry.partner(partnerUid);
    const page = await this.queries.execute(new ListAccounts(partnerUid, homePartition, undefined, limit, cursor));
    const accounts = await this.registry.accounts(
      homePartition,
      page.items.map(({ uid }) => uid),
    );
    return { ...page, items: page.items.map((view) => show(accounts.get(view.uid)!, view)) };
  }

  async #visible(viewer: Viewer, uid: string): Promise<Account> {
    const account = await this.registry.account(uid);
    if (viewer.partnerUid !== null && account.partnerUid !== viewer.partnerUid) {
      throw new EntityNotFound('CustomerAccountEntity', 'uid', uid);
    }
    return account;
  }
}

function show(account: Account, { current: _current, ...view }: AccountView): InspectedAccount {
  return {
    ...view,
    partnerUid: account.partnerUid,
    partition: partitionOf(account.uid)!,
    entries: account.entries,
    openedAt: account.openedAt,
  };
}
