import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { REGISTRY_PARTITION } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { accessKeyTable } from '../../access-key.projection.js';
import type { AccessKey } from '../../domain/access-key.js';
import { type AccessKeyView, ListAccessKeys } from './access-keys.query.js';

@QueryHandler(ListAccessKeys)
export class ListAccessKeysHandler implements IQueryHandler<ListAccessKeys> {
  constructor(private readonly database: Database) {}

  async execute({ accountUid, limit, cursor }: ListAccessKeys): Promise<Page<AccessKeyView>> {
    const list = ['access-keys', accountUid];
    const rows = await this.database.query({
      name: 'access-keys-of-account',
      text: `
        select ${accessKeyTable.columns} from access_key
        where partition = $1 and account_uid = $2
          and id > coalesce($3, '00000000-0000-0000-0000-000000000000')::uuid
        order by id limit $4`,
      values: [REGISTRY_PARTITION, accountUid, decodeCursor(list, cursor, CURSOR_KEY.id) ?? null, limit + 1],
    });
    return toPage(rows.map(accessKeyTable.parse), limit, list, ({ id }) => id, show);
  }
}

function show({ id, name, status, permissions, expiresAt, allowedIps, issuedAt }: AccessKey): AccessKeyView {
  return { accessKey: id, name, status, permissions, expiresAt, allowedIps, issuedAt };
}
