import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { partitionOf, type Sealed, SubjectVault } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { Registry } from '../../registry.js';
import { GetStatement, type StatementLine } from './statement.query.js';

/** No account has as many entries. */
const AFTER_LAST = 2_147_483_647;

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
    const [first, end] = await Promise.all([
      from ? this.#firstNumberAt(partition, accountUid, from) : 0,
      to ? this.#firstNumberAt(partition, accountUid, to) : AFTER_LAST,
    ]);
    const before = decodeCursor(list, query.cursor, CURSOR_KEY.number);
    const rows = await this.database.query<Row>({
      name: 'statement',
      text: `
        select number, amount, balance, kind, transaction_id, description, time
        from entry
        where partition = $1 and account_uid = $2 and bucket = 'available'
          and number < $3 and number >= $4
        order by number desc
        limit $5`,
      values: [partition, accountUid, Math.min(end, Number(before ?? AFTER_LAST)), first, limit + 1],
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

  /**
   * Number of an account's first entry at a time or later; the one after its last where there is none. Entries are
   * numbered without gaps and in order of time: halving finds it, however long the history is.
   */
  async #firstNumberAt(partition: number, accountUid: string, time: Date): Promise<number> {
    const [row] = await this.database.query<{ number: number }>({
      name: 'statement-first-number-at',
      text: `
        with recursive halving (low, high) as (
          select 0, 1 + coalesce((
            select number from entry where partition = $1 and account_uid = $2 order by number desc limit 1), 0)
          union all
          select case when e.time < $3 then e.number else h.low end, case when e.time < $3 then h.high else e.number end
          from halving h
          join entry e on e.partition = $1 and e.account_uid = $2 and e.number = (h.low + h.high) / 2
          where h.high - h.low > 1)
        select high as number from halving order by high - low limit 1`,
      values: [partition, accountUid, time],
    });
    return row!.number;
  }
}
