import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { ReconciliationCase } from '../../domain/reconciliation.js';

/** Cases, those of the newest day first. */
export class ListReconciliationCases extends Query<Page<ReconciliationCase>> {
  constructor(
    readonly status: ReconciliationCase['status'] | undefined,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
