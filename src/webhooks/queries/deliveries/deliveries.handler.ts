import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CURSOR_KEY, decodeCursor, type Page, toPage } from '../../../platform/http/index.js';
import type { DeliveryView } from './deliveries.query.js';
import { ListDeliveries } from './deliveries.query.js';
import { type DeliveryRow, DeliveryRows } from './delivery-rows.js';

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(private readonly rows: DeliveryRows) {}

  async execute({ reader, accountUid, filters, limit, cursor }: ListDeliveries): Promise<Page<DeliveryView>> {
    const list = ['deliveries', accountUid, filters.transactionId ?? null, filters.status ?? null];
    const before = decodeCursor(list, cursor, CURSOR_KEY.position) ?? null;
    const rows = await this.rows.list(reader, accountUid, filters, before, limit + 1);
    return toPage(rows, limit, list, ({ position }) => position, show);
  }
}

function show(row: DeliveryRow): DeliveryView {
  return {
    id: row.id,
    transactionId: row.transactionId,
    transactionState: row.transactionState,
    type: row.type,
    url: row.url,
    status: row.status,
    nextAttemptAt: row.dueAt?.toISOString() ?? null,
    attempts: row.attempts.map(({ number, startedAt, durationMs, httpStatus, error }) => ({
      number,
      startedAt,
      durationMs,
      httpStatus,
      error,
    })),
  };
}
