import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { CURSOR_KEY, decodeCursor, encodeCursor } from '../../../platform/http/index.js';
import { FailingDeliveries } from '../../../webhooks/index.js';
import type { FailingDeliveryPage, FailingDeliveryView } from './deliveries.answer.js';
import { ListFailingDeliveries, ReadDelivery } from './deliveries.query.js';
import { NamedDeliveries } from './named-deliveries.js';

/** The most hosts listed. */
const MAX_HOSTS = 20;

@QueryHandler(ListFailingDeliveries)
export class ListFailingDeliveriesHandler implements IQueryHandler<ListFailingDeliveries> {
  constructor(
    private readonly failing: FailingDeliveries,
    private readonly named: NamedDeliveries,
  ) {}

  /** @throws ValidationError for a cursor of another list */
  async execute({ filters, limit, cursor }: ListFailingDeliveries): Promise<FailingDeliveryPage> {
    const list = ['failing', filters.status, filters.partnerUid, filters.host, filters.transactionId];
    const before = decodeCursor(list, cursor, CURSOR_KEY.id);
    const { rows, away } = await this.failing.list(filters, before, limit + 1);
    const hosts = await this.failing.hosts(MAX_HOSTS);
    const shown = rows.slice(0, limit);
    const missing = new Set(away);
    return {
      items: await this.named.show(shown, (partition) => missing.add(partition)),
      nextCursor: rows.length > limit ? encodeCursor(list, shown.at(-1)!.id) : null,
      hosts,
      partitionsAway: [...missing].sort((a, b) => a - b),
    };
  }
}

@QueryHandler(ReadDelivery)
export class ReadDeliveryHandler implements IQueryHandler<ReadDelivery> {
  constructor(
    private readonly failing: FailingDeliveries,
    private readonly named: NamedDeliveries,
  ) {}

  /** @throws EntityNotFound */
  async execute({ id }: ReadDelivery): Promise<FailingDeliveryView> {
    const row = await this.failing.one(id);
    if (!row) throw new EntityNotFound('WebhookDeliveryEntity', 'id', id);
    const [shown] = await this.named.show([row], () => undefined);
    return shown!;
  }
}
