import { Body, Controller, Delete, Get, Param, Post, Res, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DryRunView, previewFor } from '../accounts/index.js';
import { Caller, PartnerRoute, type Principal, ReadsInTurn } from '../auth/index.js';
import { resultOf } from '../platform/errors/index.js';
import {
  Answers,
  done,
  DryRun,
  dryRunAnswer,
  Idempotency,
  type IdempotentRequest,
  incomplete,
  markReplayed,
  PageQuery,
  RequestId,
  ValidQuery,
} from '../platform/http/index.js';
import { CancelSchedule } from './commands/cancel-schedule/cancel-schedule.command.js';
import { CreateSchedule, type RequestedSchedule } from './commands/create-schedule/create-schedule.command.js';
import { LegacyScheduleNoticeGuard } from './legacy-schedule-notice.guard.js';
import { assertMay } from './permissions.js';
import { SCHEDULE_EXAMPLE, ScheduleView } from './queries/schedules/schedule-view.js';
import { GetSchedule, ListSchedules } from './queries/schedules/schedules.query.js';
import { ScheduleBody } from './schedule.body.js';
import { CreateScheduleDto } from './schedules.dto.js';

@ApiTags('Schedules')
@Controller('partners-int/accounts/schedules')
export class SchedulesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @UseGuards(LegacyScheduleNoticeGuard)
  @PartnerRoute(['transfers:write', 'pix:cashout'])
  @ApiBody({ type: CreateScheduleDto })
  @Answers({
    summary: 'Have a transfer or a payout made every week or every month',
    description:
      'Each run is a transaction of its own, `Scheduled` from the time of the run before it. What falls on the 31st ' +
      'is on the last day of shorter months. Needs the permission of what it makes. ' +
      'Those of transfers are deprecated for accounts of class Legacy, with the headers of a transfer (Deprecation, Sunset).',
    status: 201,
    answer: ScheduleView,
    example: incomplete(SCHEDULE_EXAMPLE),
    errors: [404],
    reasons: [
      'TransferAmountMustBeGreaterThanZero',
      'PaymentValueMustBeGreaterThanZero',
      'AmountBelowMinimum',
      'AmountAboveMaximum',
      'CustomerAccountIsNotActive',
      'TransferNotAvailableForAccountClass',
      'TransferToSameAccountNotAllowed',
      'AccountDigitIsRequired',
      'OrderIdAlreadyUsed',
      'CashOutNotAvailable',
      'KeyAccountCheckNotAvailable',
      'AccountTypeNotAvailable',
      'ScheduledForNotAllowed',
      'ScheduleRunsNotAllowed',
      'TooManyScheduled',
      'TooManySchedules',
    ],
    idempotent: true,
    dryRun: DryRunView,
  })
  async createSchedule(
    @Caller() caller: Principal,
    @Body(ScheduleBody) schedule: RequestedSchedule,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    assertMay(caller, schedule.transfer ? 'Transfer' : 'CashOut');
    const preview = await previewFor(this.queries, isDryRun, caller.accountUid);
    const created = await this.commands.execute(new CreateSchedule(caller, schedule, requestId, idempotency, preview));
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, created.replayed);
    return incomplete(created.schedule);
  }

  @Get()
  @ReadsInTurn()
  @PartnerRoute('accounts:read')
  @Answers({
    summary: 'Schedules of the account of the context, newest first',
    answer: ScheduleView,
    list: true,
    example: done({ items: [SCHEDULE_EXAMPLE], nextCursor: null }),
  })
  async listSchedules(@Caller() caller: Principal, @ValidQuery(PageQuery) { limit, cursor }: PageQuery) {
    return done(await this.queries.execute(new ListSchedules(caller.partnerUid, caller.accountUid, limit, cursor)));
  }

  @Get(':id')
  @ReadsInTurn()
  @PartnerRoute('accounts:read')
  @Answers({
    summary: 'One schedule with its runs',
    answer: ScheduleView,
    example: done(SCHEDULE_EXAMPLE),
    errors: [404],
  })
  async getSchedule(@Caller() caller: Principal, @Param('id') id: string) {
    return done(await this.queries.execute(new GetSchedule(caller.accountUid, id)));
  }

  @Delete(':id')
  @Answers({
    summary: 'End a schedule, and cancel its runs that wait',
    description: 'TransitionNotAllowed where nothing is left of it. Needs the permission of what it makes.',
    answer: ScheduleView,
    example: done({ ...SCHEDULE_EXAMPLE, state: 'Cancelled' }),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  @PartnerRoute(['transfers:write', 'pix:cashout'])
  async cancelSchedule(@Caller() caller: Principal, @Param('id') id: string, @RequestId() requestId: string) {
    const { kind } = await this.queries.execute(new GetSchedule(caller.accountUid, id));
    assertMay(caller, kind);
    await this.commands.execute(new CancelSchedule(caller, id, requestId));
    return done(await resultOf(this.queries.execute(new GetSchedule(caller.accountUid, id))));
  }
}
