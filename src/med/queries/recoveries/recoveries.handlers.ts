import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { partitionOf, SubjectVault } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { Recoveries } from '../../recoveries.js';
import { recoveryTable } from '../../recovery.projection.js';
import { GetRecovery, ListRecoveries } from './recoveries.query.js';
import { type RecoveryView, showRecovery } from './recovery-view.js';

@QueryHandler(GetRecovery)
export class GetRecoveryHandler implements IQueryHandler<GetRecovery> {
  constructor(
    private readonly recoveries: Recoveries,
    private readonly vault: SubjectVault,
  ) {}

  async execute({ id, accountUid }: GetRecovery): Promise<RecoveryView> {
    const known = await this.recoveries.find(id);
    if (known?.recovery.accountUid !== accountUid) throw new EntityNotFound('RecoveryEntity', 'id', id);
    const { recovery, partition } = known;
    const [details] = await this.vault.openAll<string>(partition, [recovery.details]);
    return showRecovery(recovery, details ?? null);
  }
}

@QueryHandler(ListRecoveries)
export class ListRecoveriesHandler implements IQueryHandler<ListRecoveries> {
  constructor(
    private readonly database: Database,
    private readonly vault: SubjectVault,
  ) {}

  async execute({ accountUid, limit, cursor }: ListRecoveries): Promise<Page<RecoveryView>> {
    const partition = partitionOf(accountUid)!;
    const list = ['recoveries', accountUid];
    const rows = await this.database.query({
      name: 'recoveries-of-account',
      text: `
        select ${recoveryTable.columns}
        from recovery
        where partition = $1 and account_uid = $2
          and id < coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
        order by id desc limit $4`,
      values: [partition, accountUid, decodeCursor(list, cursor, CURSOR_KEY.id) ?? null, limit + 1],
    });
    const page = toPage(
      rows.map(recoveryTable.parse),
      limit,
      list,
      ({ id }) => id,
      (one) => one,
    );
    const details = await this.vault.openAll<string>(
      partition,
      page.items.map((one) => one.details),
    );
    return { ...page, items: page.items.map((one, i) => showRecovery(one, details[i] ?? null)) };
  }
}
