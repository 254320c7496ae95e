import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  Answers,
  DEFAULT_LIMIT,
  done,
  IsCursor,
  IsLimit,
  PageQuery,
  Parameter,
  ValidQuery,
} from '../../../platform/http/index.js';
import { AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import type { AuditReader } from '../../domain/auditor.js';
import { IsPartition, IsPosition } from '../parameters.js';
import { AuditedEvent } from './events.answer.js';
import { ListEvents, ListEventsOfAccount, ListEventsOfTransaction } from './events.query.js';

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
const AS_HASHED = '`data` and `metadata` are the exact texts that the leaf covers; personal members are sealed.';

class EventsQuery {
  @Parameter({ type: 'integer', required: true }, IsPartition()) partition: number;
  @Parameter({ description: 'Begins with this position; with the first if absent' }, IsPosition()) from = 1n;
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}

/** Events for auditors. */
@ApiTags('Audit')
@Controller('audit')
@AuditorRoute()
export class EventsController {
  constructor(private readonly queries: QueryBus) {}

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
    return done(await this.queries.execute(new ListEvents(auditor, partition, from, limit, cursor)));
  }

  @Get('accounts/:uid/events')
  @Answers({
    summary: 'Events that opened, changed or moved money on an account, oldest first',
    description: `${AS_HASHED} Follows the log, normally within a second.`,
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
    return done(await this.queries.execute(new ListEventsOfAccount(auditor, uid, limit, cursor)));
  }

  @Get('transactions/:id/events')
  @Answers({
    summary: 'Events of a transaction, oldest first, with those of its refunds and of returned payments',
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
    return done(await this.queries.execute(new ListEventsOfTransaction(auditor, id, limit, cursor)));
  }
}
