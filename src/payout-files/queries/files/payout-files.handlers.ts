import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { partitionOf } from '../../../event-store/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { PayoutFileRows } from '../../payout-file-rows.js';
import { type PayoutFileView, showFile } from './payout-file-view.js';
import { GetPayoutFile, ListPayoutFiles } from './payout-files.query.js';

@QueryHandler(GetPayoutFile)
export class GetPayoutFileHandler implements IQueryHandler<GetPayoutFile> {
  constructor(private readonly rows: PayoutFileRows) {}

  async execute({ accountUid, id }: GetPayoutFile): Promise<PayoutFileView> {
    const file = await this.rows.own(accountUid, id);
    const endings = await this.rows.endings(partitionOf(id)!, [id]);
    return showFile(file, endings.get(id));
  }
}

@QueryHandler(ListPayoutFiles)
export class ListPayoutFilesHandler implements IQueryHandler<ListPayoutFiles> {
  constructor(private readonly rows: PayoutFileRows) {}

  async execute({ of, uid, partition, limit, cursor }: ListPayoutFiles): Promise<Page<PayoutFileView>> {
    const list = ['payout-files', uid];
    const before = decodeCursor(list, cursor, CURSOR_KEY.id) ?? null;
    const files = await this.rows.list(of, uid, partition, before, limit + 1);
    const endings = await this.rows.endings(
      partition,
      files.map(({ id }) => id),
    );
    return toPage(
      files,
      limit,
      list,
      ({ id }) => id,
      (file) => showFile(file, endings.get(file.id)),
    );
  }
}
