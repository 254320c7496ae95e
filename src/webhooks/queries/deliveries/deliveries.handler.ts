import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { turnsOfPages } from '../../../platform/fair-turns.js';
import { CURSOR_KEY, decodeCursor, type Page, rowsWithin, toPage } from '../../../platform/http/index.js';
import { ATTEMPTS_KEPT } from '../../deliveries/delivery-outcomes.js';
import type { DeliveryView } from './deliveries.query.js';
import { ListDeliveries } from './deliveries.query.js';
import { type DeliveryRow, DeliveryRows } from './delivery-rows.js';

/** A page has no more, or one delivery: redeliveries make a hundred of each, and a hundred times that a megabyte. */
const MOST_ATTEMPTS = 1_000;

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  readonly #turns = turnsOfPages(1);

  constructor(private readonly rows: DeliveryRows) {}

  /** @throws Overloaded when its turn does not come */
  async execute({ reader, accountUid, filters, limit, cursor }: ListDeliveries): Promise<Page<DeliveryView>> {
    const list = ['deliveries', accountUid, filters.transactionId ?? null, filters.status ?? null];
    const before = decodeCursor(list, cursor, CURSOR_KEY.position) ?? null;
    const heads = await this.rows.heads(reader, accountUid, filters, before, limit + 1);
    const most = rowsWithin(heads, MOST_ATTEMPTS, ({ attemptsMade }) => Math.min(attemptsMade, ATTEMPTS_KEPT));
    const page = toPage(
      heads,
      Math.min(limit, most),
      list,
      ({ position }) => position,
      ({ id }) => id,
    );
    const items = await this.#turns.take(reader, async () => (await this.rows.whole(accountUid, page.items)).map(show));
    return { ...page, items };
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
