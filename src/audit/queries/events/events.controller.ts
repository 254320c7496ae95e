import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { StoredEvent } from '../../../event-store/index.js';
import {
  Answers,
  CURSOR_KEY,
  decodeCursor,
  DEFAULT_LIMIT,
  done,
  encodeCursor,
  IsCursor,
  IsLimit,
  IsMoment,
  PageQuery,
  Parameter,
  ValidQuery,
} from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { type AuditReader, AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import { toEventLine } from '../../export/export-format.js';
import { AuditedEvent, BalanceAtView } from './events.answer.js';
import { AuditedEvents, type EventPage } from './audited-events.js';
import { BalanceAtReader } from '../balance-at/balance-at.js';
import { IsPartition, IsPosition } from '../parameters.js';

const EVENT = {
  partition: 1,
  position: '8',
  id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  stream: 'transfer-0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  version: 1,
  type: 'TransferSettled',
  schemaVersion: 1,
  time: 1763647445123,
  data: '{"id":"…"}',
  metadata: '{"actor":"…"}',
  leaf: 'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=',
};
const PAGE = done({ items: [EVENT], nextCursor: null });
/** Entry, version and position, see `AuditedEvents.ofAccount`. */
const ACCOUNT_CURSOR = /^1?\d{1,9}\/1?\d{1,9}\/\d{1,18}$/;
const AS_HASHED = '`data` and `metadata` are the exact texts that the leaf covers; personal members are sealed.';

class EventsQuery {
  @Parameter({ type: 'integer', required: true }, IsPartition()) partition: number;
  @Parameter({ description: 'Begins with this position; with the first if absent' }, IsPosition()) from = 1n;
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}

class BalanceQuery {
  @IsMoment('ISO 8601 date-time, inclusive') at?: Date | null;
  @Parameter({ type: 'integer', description: 'inclusive' }, IsPosition()) position?: bigint | null;
}

/** Reading for auditors. Nothing here changes anything. */
@ApiTags('Audit')
@Controller('audit')
@AuditorRoute()
export class AuditController {
  constructor(
    private readonly events: AuditedEvents,
    private readonly balances: BalanceAtReader,
  ) {}

  @Get('events')
  @Answers({
    summary: 'Events of a partition, oldest first',
    description: `${AS_HASHED} For an auditor of one partner, events of others are left out: a page may be short.`,
    answer: AuditedEvent,
    list: true,
    example: PAGE,
    errors: [404],
  })
  async listEvents(
    @CallingAuditor() auditor: AuditReader,
    @ValidQuery(EventsQuery) { partition, from, limit, cursor }: EventsQuery,
  ) {
    const list = ['audit-events', auditor.id, String(partition)];
    const after = BigInt(decodeCursor(list, cursor, CURSOR_KEY.position) ?? from - 1n);
    return show(list, await this.events.ofPartition(auditor, partition, after, limit));
  }

  @Get('accounts/:uid/events')
  @Answers({
    summary: 'Events that opened, changed or moved money on an account, oldest first',
    description: AS_HASHED,
    answer: AuditedEvent,
    list: true,
    example: PAGE,
    errors: [404],
  })
  async listEventsOfAccount(
    @CallingAuditor() auditor: AuditReader,
    @Param('uid') uid: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    const list = ['audit-account', auditor.id, uid];
    const after = decodeCursor(list, cursor, ACCOUNT_CURSOR);
    return show(list, await this.events.ofAccount(auditor, uid, after, limit));
  }

  @Get('transactions/:id/events')
  @Answers({
    summary: 'Events of a transaction, oldest first, with those of its refunds and of payments given back',
    description: AS_HASHED,
    answer: AuditedEvent,
    list: true,
    example: PAGE,
    errors: [404],
  })
  async listEventsOfTransaction(
    @CallingAuditor() auditor: AuditReader,
    @Param('id') id: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    const list = ['audit-transaction', auditor.id, id];
    const after = BigInt(decodeCursor(list, cursor, CURSOR_KEY.position) ?? 0);
    return show(list, await this.events.ofTransaction(auditor, id, after, limit));
  }

  @Get('accounts/:uid/balance')
  @Answers({
    summary: 'Balances of an account at a moment or a position; now, without either',
    description: 'Follows the log, normally within a second.',
    answer: BalanceAtView,
    example: done({ available: '989.50', held: '0.00', entry: 7, position: '8' }),
    errors: [404],
  })
  async readBalanceAt(
    @CallingAuditor() auditor: AuditReader,
    @Param('uid') uid: string,
    @ValidQuery(BalanceQuery) { at = null, position: last = null }: BalanceQuery,
  ) {
    const partition = await this.events.assertAccount(auditor, uid);
    const { available, held, entry, position: found } = await this.balances.read(partition, uid, at, last);
    const shown = found === null ? null : String(found);
    return done({ available: formatAmount(available), held: formatAmount(held), entry, position: shown });
  }
}

function show(list: readonly unknown[], { events, next }: EventPage) {
  return done({ items: events.map(showEvent), nextCursor: next === null ? null : encodeCursor(list, next) });
}

export function showEvent(event: StoredEvent): AuditedEvent {
  const { kind: _kind, ...line } = toEventLine(event, undefined);
  return { ...line, leaf: event.leaf.toString('base64') };
}
