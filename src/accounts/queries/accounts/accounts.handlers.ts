import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { SubjectVault } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { accountTable } from '../../account.projection.js';
import { FORGOTTEN, Registry } from '../../registry.js';
import { type AccountView, showAccount } from './account-view.js';
import { type AccountOwner, GetAccount, GetAccountOwner, ListAccounts } from './accounts.query.js';

@QueryHandler(ListAccounts)
export class ListAccountsHandler implements IQueryHandler<ListAccounts> {
  constructor(
    private readonly database: Database,
    private readonly vault: SubjectVault,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ partnerUid, partition, currentUid, limit, cursor }: ListAccounts): Promise<Page<AccountView>> {
    const list = ['accounts', partnerUid];
    const rows = await this.database.query({
      name: 'accounts-of-partner',
      text: `
        select ${accountTable.columns}
        from account
        where partition = $1 and partner_uid = $2 and system is null
          and uid > coalesce($3, '00000000-0000-0000-0000-000000000000')::uuid
        order by uid limit $4`,
      values: [partition, partnerUid, decodeCursor(list, cursor, CURSOR_KEY.id) ?? null, limit + 1],
    });
    const accounts = rows.map(accountTable.parse);
    const holders = await this.vault.openAll(
      partition,
      accounts.map((account) => account.holder!),
    );
    return toPage(
      accounts.map((account, i) => ({ account, holder: holders[i] ?? FORGOTTEN })),
      limit,
      list,
      ({ account }) => account.uid,
      ({ account, holder }) => showAccount(account, holder, this.config, currentUid),
    );
  }
}

@QueryHandler(GetAccount)
export class GetAccountHandler implements IQueryHandler<GetAccount> {
  constructor(
    private readonly registry: Registry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute({ uid, partnerUid, currentUid }: GetAccount): Promise<AccountView> {
    const account = await this.registry.account(uid);
    if (partnerUid !== undefined && account.partnerUid !== partnerUid) {
      throw new EntityNotFound('CustomerAccountEntity', 'uid', uid);
    }
    return showAccount(account, await this.registry.holderOf(account), this.config, currentUid);
  }
}

@QueryHandler(GetAccountOwner)
export class GetAccountOwnerHandler implements IQueryHandler<GetAccountOwner> {
  constructor(private readonly registry: Registry) {}

  /** @throws EntityNotFound */
  async execute({ uid }: GetAccountOwner): Promise<AccountOwner> {
    const { partnerUid } = await this.registry.facts(uid);
    return { uid, partnerUid };
  }
}
