import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import {
  type Account,
  type AccountView,
  GetAccount,
  GetStatement,
  ListAccounts,
  Registry,
  TransactionRows,
} from '../../../accounts/index.js';
import { type AccessKeyView, ListAccessKeys, maySee } from '../../../auth/index.js';
import { partitionOf } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { Page } from '../../../platform/http/index.js';
import { Names } from '../../names/names.js';
import type { BalanceSeriesView, InspectedAccount, InspectedStatementLine } from './accounts.answer.js';
import {
  InspectAccessKeys,
  InspectAccount,
  InspectAccountsOfPartner,
  InspectStatement,
  ReadBalances,
} from './accounts.query.js';
import { BalanceSeries } from './balance-series.js';
import { VisibleAccounts } from './visible-accounts.js';

@QueryHandler(InspectAccount)
export class InspectAccountHandler implements IQueryHandler<InspectAccount> {
  constructor(
    private readonly accounts: VisibleAccounts,
    private readonly queries: QueryBus,
  ) {}

  /** @throws EntityNotFound */
  async execute({ viewer, uid }: InspectAccount): Promise<InspectedAccount> {
    const account = await this.accounts.get(viewer, uid);
    return show(account, await this.queries.execute(new GetAccount(uid)));
  }
}

@QueryHandler(InspectAccessKeys)
export class InspectAccessKeysHandler implements IQueryHandler<InspectAccessKeys> {
  constructor(
    private readonly accounts: VisibleAccounts,
    private readonly queries: QueryBus,
  ) {}

  /** @throws EntityNotFound */
  async execute({ viewer, uid, limit, cursor }: InspectAccessKeys): Promise<Page<AccessKeyView>> {
    await this.accounts.get(viewer, uid);
    return this.queries.execute(new ListAccessKeys(uid, limit, cursor));
  }
}

@QueryHandler(InspectStatement)
export class InspectStatementHandler implements IQueryHandler<InspectStatement> {
  constructor(
    private readonly accounts: VisibleAccounts,
    private readonly queries: QueryBus,
    private readonly rows: TransactionRows,
    private readonly names: Names,
  ) {}

  /** The names of a page are read together. @throws EntityNotFound */
  async execute({ viewer, uid, part }: InspectStatement): Promise<Page<InspectedStatementLine>> {
    const { from, to, limit, cursor } = part;
    const { partnerUid } = await this.accounts.get(viewer, uid);
    const partition = partitionOf(uid)!;
    const page = await this.queries.execute(new GetStatement(partnerUid, uid, from, to, limit, cursor));
    const ids = new Set(page.items.flatMap(({ transactionId }) => transactionId ?? []));
    const transactions = new Map((await this.rows.some(partition, [...ids])).map((one) => [one.id, one]));
    const owners = await this.names.owners(partition, [...transactions.values()]);
    const counterpartyOf = (id: string | null) => {
      const owner = id === null ? undefined : owners.get(id);
      if (!owner) return null;
      // A transfer has one transaction, the payer's.
      return transactions.get(id!)!.accountUid === uid ? owner.counterpartyName : owner.accountName;
    };
    return {
      ...page,
      items: page.items.map((line) => ({ ...line, counterpartyName: counterpartyOf(line.transactionId) })),
    };
  }
}

@QueryHandler(ReadBalances)
export class ReadBalancesHandler implements IQueryHandler<ReadBalances> {
  constructor(
    private readonly accounts: VisibleAccounts,
    private readonly series: BalanceSeries,
  ) {}

  /** @throws EntityNotFound */
  async execute({ viewer, uid, period, points }: ReadBalances): Promise<BalanceSeriesView> {
    await this.accounts.get(viewer, uid);
    return this.series.read(partitionOf(uid)!, uid, period, points);
  }
}

@QueryHandler(InspectAccountsOfPartner)
export class InspectAccountsOfPartnerHandler implements IQueryHandler<InspectAccountsOfPartner> {
  constructor(
    private readonly registry: Registry,
    private readonly queries: QueryBus,
  ) {}

  /** @throws EntityNotFound for an unknown partner, or one that the viewer may not see */
  async execute({ viewer, partnerUid, limit, cursor }: InspectAccountsOfPartner): Promise<Page<InspectedAccount>> {
    if (!maySee(viewer, partnerUid)) throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
    const { homePartition } = await this.registry.partner(partnerUid);
    const page = await this.queries.execute(new ListAccounts(partnerUid, homePartition, undefined, limit, cursor));
    const accounts = await this.registry.accounts(
      homePartition,
      page.items.map(({ uid }) => uid),
    );
    return { ...page, items: page.items.map((view) => show(accounts.get(view.uid)!, view)) };
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
