import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EventLog, partitionOf, type Sealed, SubjectVault } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { Registry } from '../../registry.js';
import { newestEntries } from './account-entries.js';
import { GetStatement, type StatementLine } from './statement.query.js';

/** No partition has as many events. */
const AFTER_LAST = '9223372036854775807';

/** The newest entries before a position, or before a number at that position. */
const STATEMENT = newestEntries({
  upTo: '$3::bigint',
  before: '(position, number) < ($3::bigint, $4::int)',
  from: '$5::bigint',
  isAvailable: true,
  limit: '$6::int',
});

interface Row {
  readonly position: string;
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
    private readonly log: EventLog,
    private readonly registry: Registry,
    private readonly vault: SubjectVault,
  ) {}

  async execute(query: GetStatement): Promise<Page<StatementLine>> {
    const { accountUid, from, to, limit } = query;
    const account = await this.registry.account(accountUid);
    if (account.partnerUid !== query.partnerUid) throw new EntityNotFound('CustomerAccountEntity', 'uid', accountUid);
    const partition = partitionOf(accountUid)!;
    const list = ['statement', accountUid, from ?? null, to ?? null];
    const [first, end] = await Promise.all([
      from ? this.log.firstPositionAt(partition, from) : '0',
      to ? this.log.firstPositionAt(partition, to) : AFTER_LAST,
    ]);
    const before = decodeCursor(list, query.cursor, CURSOR_KEY.entry)?.split('/');
    const [position, number] = before && BigInt(before[0]!) < BigInt(end) ? before : [end, '0'];
    const values = [partition, accountUid, position, number, first, limit + 1];
    // Any number of charges that nobody paid may be newer than its entries, and has to be read past.
    const rows = await this.database.inTurn(query.partnerUid, () =>
      this.database.query<Row>({ name: 'statement', text: STATEMENT, values }),
    );
    const sealed = rows.flatMap(({ description }) => description ?? []);
    const opened = await this.vault.openAll(partition, sealed);
    const plain = new Map(sealed.map((one, i) => [one, opened[i] ?? '']));
    return toPage(
      rows,
      limit,
      list,
      (row) => `${row.position}/${row.number}`,
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
