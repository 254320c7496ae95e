import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { partitionOf } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { holdTable } from '../../hold.projection.js';
import { Registry } from '../../registry.js';
import { type HoldView, showHold } from './hold-view.js';
import { ListHolds } from './holds.query.js';

@QueryHandler(ListHolds)
export class ListHoldsHandler implements IQueryHandler<ListHolds> {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
  ) {}

  async execute({ accountUid, partnerUid, limit, cursor }: ListHolds): Promise<Page<HoldView>> {
    const facts = await this.registry.facts(accountUid);
    if (partnerUid !== undefined && facts.partnerUid !== partnerUid) {
      throw new EntityNotFound('CustomerAccountEntity', 'uid', accountUid);
    }
    const list = ['holds', accountUid];
    const rows = await this.database.query({
      name: 'holds-of-account',
      text: `
        select ${holdTable.columns}
        from hold
        where partition = $1 and account_uid = $2
          and id < coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid
        order by id desc limit $4`,
      values: [partitionOf(accountUid)!, accountUid, decodeCursor(list, cursor, CURSOR_KEY.id) ?? null, limit + 1],
    });
    return toPage(rows.map(holdTable.parse), limit, list, ({ id }) => id, showHold);
  }
}
