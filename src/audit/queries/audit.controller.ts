import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import type { StoredEvent } from '../../event-store/index.js';
import {
  Answers,
  CURSOR_KEY,
  decodeCursor,
  done,
  encodeCursor,
  Paged,
  parseLimit,
  parseMoment,
} from '../../platform/http/index.js';
import { formatAmount } from '../../platform/money.js';
import { type AuditReader, AuditorRoute, CallingAuditor } from '../auditors/auditor.guard.js';
import { toEventLine } from '../transport/export-format.js';
import { AuditedEvents, type EventPage } from './audited-events.js';
import { BalanceAtReader } from './balance-at.js';
import { parsePartition, parsePosition } from './parameters.js';

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
  @ApiQuery({ name: 'partition', required: true, schema: { type: 'integer' } })
  @Paged({ name: 'from', description: 'Begins with this position; with the first if absent' })
  @Answers({
    summary: 'Events of a partition, oldest first',
    description: `${AS_HASHED} For an auditor of one partner, events of others are left out: a page may be short.`,
    status: 200,
    example: PAGE,
    errors: [400, 404],
  })
  async ofPartition(
    @CallingAuditor() auditor: AuditReader,
    @Query('partition') partition?: string,
    @Query('from') from?: string,
    @Query('limit') limit?: string,
    @Query('cursor') cursor?: string,
  ) {
    const list = ['audit-events', auditor.id, partition];
    const first = from === undefined ? 1n : parsePosition('from', from);
    const after = BigInt(decodeCursor(list, cursor, CURSOR_KEY.position) ?? first - 1n);
    return show(list, await this.events.ofPartition(auditor, parsePartition(partition), after, parseLimit(limit)));
  }

  @Get('accounts/:uid/events')
  @Paged()
  @Answers({
    summary: 'Events that opened, changed or moved money on an account, oldest first',
    description: AS_HASHED,
    status: 200,
    example: PAGE,
    errors: [400, 404],
  })
  async ofAccount(
    @CallingAuditor() auditor: AuditReader,
    @Param('uid') uid: string,
    @Query('limit') limit?: string,
    @Query('cursor') cursor?: string,
  ) {
    const list = ['audit-account', auditor.id, uid];
    const after = decodeCursor(list, cursor, ACCOUNT_CURSOR);
    return show(list, await this.events.ofAccount(auditor, uid, after, parseLimit(limit)));
  }

  @Get('transactions/:id/events')
  @Paged()
  @Answers({
    summary: 'Events of a transaction, oldest first, with those of its refunds and of payments given back',
    description: AS_HASHED,
    status: 200,
    example: PAGE,
    errors: [400, 404],
  })
  async ofTransaction(
    @CallingAuditor() auditor: AuditReader,
    @Param('id') id: string,
    @Query('limit') limit?: string,
    @Query('cursor') cursor?: string,
  ) {
    const list = ['audit-transaction', auditor.id, id];
    const after = BigInt(decodeCursor(list, cursor, CURSOR_KEY.position) ?? 0);
    return show(list, await this.events.ofTransaction(auditor, id, after, parseLimit(limit)));
  }

  @Get('accounts/:uid/balance')
  @ApiQuery({ name: 'at', required: false, description: 'ISO 8601 date-time, inclusive', schema: { type: 'string' } })
  @ApiQuery({ name: 'position', required: false, description: 'inclusive', schema: { type: 'integer' } })
  @Answers({
    summary: 'Balances of an account at a moment or a position; now, without either',
    description: 'Follows the log, normally within a second.',
    status: 200,
    example: done({ available: '989.50', held: '0.00', entry: 7, position: '8' }),
    nullable: ['position'],
    errors: [400, 404],
  })
  async balance(
    @CallingAuditor() auditor: AuditReader,
    @Param('uid') uid: string,
    @Query('at') at?: string,
    @Query('position') position?: string,
  ) {
    const moment = parseMoment('at', at) ?? null;
    const last = position === undefined ? null : parsePosition('position', position);
    const partition = await this.events.assertAccount(auditor, uid);
    const { available, held, entry, position: found } = await this.balances.read(partition, uid, moment, last);
    const shown = found === null ? null : String(found);
    return done({ available: formatAmount(available), held: formatAmount(held), entry, position: shown });
  }
}

function show(list: readonly unknown[], { events, next }: EventPage) {
  return done({ items: events.map(showEvent), nextCursor: next === null ? null : encodeCursor(list, next) });
}

export function showEvent(event: StoredEvent) {
  const { kind: _kind, ...line } = toEventLine(event, undefined);
  return { ...line, leaf: event.leaf.toString('base64') };
}
