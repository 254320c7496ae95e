import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { StoredEvent } from '../../../event-store/index.js';
import { CURSOR_KEY, decodeCursor, encodeCursor, type Page } from '../../../platform/http/index.js';
import { toEventLine } from '../../log/event-line.js';
import { AuditedEvents, type EventPage } from './audited-events.js';
import type { AuditedEvent } from './events.answer.js';
import { ListEvents, ListEventsOfAccount, ListEventsOfTransaction } from './events.query.js';

/** Version and position, see `AuditedEvents.ofAccount`. */
const ACCOUNT_CURSOR = /^1?\d{1,9}\/\d{1,18}$/;

@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(private readonly events: AuditedEvents) {}

  async execute({ auditor, partition, from, limit, cursor }: ListEvents): Promise<Page<AuditedEvent>> {
    const list = ['audit-events', auditor.id, String(partition)];
    const after = BigInt(decodeCursor(list, cursor, CURSOR_KEY.position) ?? from - 1n);
    return show(list, await this.events.ofPartition(auditor, partition, after, limit));
  }
}

@QueryHandler(ListEventsOfAccount)
export class ListEventsOfAccountHandler implements IQueryHandler<ListEventsOfAccount> {
  constructor(private readonly events: AuditedEvents) {}

  async execute({ auditor, uid, limit, cursor }: ListEventsOfAccount): Promise<Page<AuditedEvent>> {
    const list = ['audit-account', auditor.id, uid];
    const after = decodeCursor(list, cursor, ACCOUNT_CURSOR);
    return show(list, await this.events.ofAccount(auditor, uid, after, limit));
  }
}

@QueryHandler(ListEventsOfTransaction)
export class ListEventsOfTransactionHandler implements IQueryHandler<ListEventsOfTransaction> {
  constructor(private readonly events: AuditedEvents) {}

  async execute({ auditor, id, limit, cursor }: ListEventsOfTransaction): Promise<Page<AuditedEvent>> {
    const list = ['audit-transaction', auditor.id, id];
    const after = BigInt(decodeCursor(list, cursor, CURSOR_KEY.position) ?? 0);
    return show(list, await this.events.ofTransaction(auditor, id, after, limit));
  }
}

function show(list: readonly unknown[], { events, next }: EventPage): Page<AuditedEvent> {
  return { items: events.map(showEvent), nextCursor: next === null ? null : encodeCursor(list, next) };
}

function showEvent(event: StoredEvent): AuditedEvent {
  const { kind: _kind, ...line } = toEventLine(event, undefined);
  return { ...line, leaf: event.leaf.toString('base64') };
}
