import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { REGISTRY_PARTITION } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import type { ReconciliationCase } from '../../domain/reconciliation.js';
import { caseTable } from '../../reconciliation.projections.js';
import { ListReconciliationCases } from './reconciliation-cases.query.js';

/** Day and id of a case. */
const KEY = /^\d{4}-\d{2}-\d{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

@QueryHandler(ListReconciliationCases)
export class ListReconciliationCasesHandler implements IQueryHandler<ListReconciliationCases> {
  constructor(private readonly database: Database) {}

  async execute({ status, limit, cursor }: ListReconciliationCases): Promise<Page<ReconciliationCase>> {
    const list = ['reconciliation cases', status];
    const [day, id] = decodeCursor(list, cursor, KEY)?.split('/') ?? [];
    const rows = await this.database.query({
      name: 'reconciliation-cases',
      text: `
        select ${caseTable.columns} from reconciliation_case
        where partition = $1 and ($2::text is null or status = $2) and ($3::text is null or (day, id) < ($3, $4::uuid))
        order by day desc, id desc limit $5`,
      values: [REGISTRY_PARTITION, status, day, id, limit + 1],
    });
    return toPage(
      rows.map(caseTable.parse),
      limit,
      list,
      (one) => `${one.day}/${one.id}`,
      (one) => one,
    );
  }
}
