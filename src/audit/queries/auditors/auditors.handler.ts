import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { QueryResultRow } from 'pg';
import { REGISTRY_PARTITION } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { auditorProjection, auditorTable } from '../../auditors/auditor.projection.js';
import type { Auditor } from '../../domain/auditor.js';
import { type AuditorList, type AuditorView, ListAuditors } from './auditors.query.js';

const PAGE = 1_000;

@QueryHandler(ListAuditors)
export class ListAuditorsHandler implements IQueryHandler<ListAuditors> {
  constructor(private readonly database: Database) {}

  async execute(): Promise<AuditorList> {
    const items: AuditorView[] = [];
    for (let last: string | null = null; ; last = items.at(-1)!.id) {
      const rows: QueryResultRow[] = await this.database.query(auditorProjection.scan(REGISTRY_PARTITION, last, PAGE));
      items.push(...rows.map(auditorTable.parse).map(show));
      if (rows.length < PAGE) return { items };
    }
  }
}

function show({ bound: _bound, version: _version, ...shown }: Auditor): AuditorView {
  return shown;
}
