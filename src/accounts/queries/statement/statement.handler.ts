import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { partitionOf, type Sealed, SubjectVault } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { Registry } from '../../registry.js';
import { GetStatement, type StatementLine } from './statement.query.js';

interface Row {
  readonly number: number;
  readonly amount: string;
  readonly balance: string;
  readonly kind: string;
  readonly transaction_id: string | null;
  readonly description: Sealed<string> | null;
  readonly time: Date;
}

@QueryHandler(GetStatement)
export class GetStatementHandler implements IQueryHandler<GetStatement> {
  constructor(
    private readonly database: Database,
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
  ) {}

  async execute(query: GetStatement): Promise<Page<StatementLine>> {
    const { accountUid, from, to, limit } = query;
    const account = await this.registry.account(accountUid);
    if (account.partnerUid !== query.partnerUid) throw new EntityNotFound('CustomerAccountEntity', 'uid', accountUid);
    const partition = partitionOf(accountUid)!;
    const list = ['statement', accountUid, from ?? null, to ?? null];
    const rows = await this.database.query<Row>({
      name: 'statement',
      text: `
        select number, amount, balance, kind, transaction_id, description, time
        from entry
        where partition = $1 and account_uid = $2 and bucket = 'available'
          and number < coalesce($3, 2147483647) and time >= coalesce($4, '-infinity'::timestamptz)
          and time < coalesce($5, 'infinity'::timestamptz)
        order by number desc
        limit $6`,
      values: [partition, accountUid, decodeCursor(list, query.cursor) ?? null, from ?? null, to ?? null, limit + 1],
    });
    const sealed = rows.flatMap(({ description }) => description ?? []);
    const opened = await this.vault.openAll(partition, sealed);
    const plain = new Map(sealed.map((one, i) => [one, opened[i] ?? '']));
    return toPage(
      rows,
      limit,
      list,
      (row) => String(row.number),
      (row) => ({
        id: String(row.number),
        date: row.time.toISOString(),
        kind: row.kind,
        transactionId: row.transaction_id,
        amount: formatAmount(BigInt(row.amount)),
        balanceAfter: formatAmount(BigInt(row.balance)),
        description: row.description ? plain.get(row.description)! : '',
      }),
    );
  }
}
