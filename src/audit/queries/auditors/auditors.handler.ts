import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { REGISTRY_PARTITION } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { auditorProjection, auditorTable } from '../../auditors/auditor.projection.js';
import type { Auditor } from '../../domain/auditor.js';
import { type AuditorList, type AuditorView, ListAuditors } from './auditors.query.js';

const MOST = 1_000;

@QueryHandler(ListAuditors)
export class ListAuditorsHandler implements IQueryHandler<ListAuditors> {
  constructor(private readonly database: Database) {}

  async execute(): Promise<AuditorList> {
    const rows = await this.database.query(auditorProjection.scan(REGISTRY_PARTITION, null, MOST));
    return { items: rows.map(auditorTable.parse).map(show) };
  }
}

function show({ bound: _bound, version: _version, ...shown }: Auditor): AuditorView {
  return shown;
}
