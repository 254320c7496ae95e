import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ActingOperator, type Operator, OperatorRoute } from '../auth/index.js';
import {
  DecideInfraction,
  GetCaseSteps,
  GetInfraction,
  INFRACTION_STORY_EXAMPLE,
  InfractionStoryView,
  InfractionsQuery,
  ListInfractions,
  OPERATOR_INFRACTION_EXAMPLE,
  OperatorInfractionView,
  showToOperator,
} from '../med/index.js';
import {
  Answers,
  done,
  Idempotency,
  type IdempotentRequest,
  markReplayed,
  RequestId,
  ValidBody,
  ValidQuery,
} from '../platform/http/index.js';
import { parseAmount } from '../platform/money.js';
import { DecisionDto } from './med.dto.js';
import { actorOf } from './views.js';

@ApiTags('Operator')
@Controller('admin/med')
@OperatorRoute()
export class OperatorMedController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers({
    summary: 'Reports of infractions about deposits (MED), newest first',
    answer: OperatorInfractionView,
    list: true,
    example: done({ items: [OPERATOR_INFRACTION_EXAMPLE], nextCursor: null }),
  })
  async listReportedInfractions(@ValidQuery(InfractionsQuery) { status, limit, cursor }: InfractionsQuery) {
    const { items, nextCursor } = await this.queries.execute(new ListInfractions(undefined, status, limit, cursor));
    return done({ items: items.map(({ infraction, texts }) => showToOperator(infraction, texts)), nextCursor });
  }

  @Get(':id')
  @Answers({
    summary: 'One report, and what happened to it',
    answer: InfractionStoryView,
    example: done(INFRACTION_STORY_EXAMPLE),
    errors: [404],
  })
  async readReportedInfraction(@Param('id') id: string) {
    const shown = await this.#shown(id);
    return done({ ...shown, story: await this.queries.execute(new GetCaseSteps(id)) });
  }

  @Post(':id/decision')
  @HttpCode(200)
  @Answers({
    summary: 'Decide about a report',
    description:
      'Agreed: what is blocked goes back to the payer, and what comes in later, until `returnUntil`. Rejected: it is available again.',
    answer: OperatorInfractionView,
    example: done({ ...OPERATOR_INFRACTION_EXAMPLE, status: 'Agreed', agreed: '100.00' }),
    errors: [404],
    reasons: ['AmountMustBeGreaterThanZero', 'ReturnExceedsReport', 'InfractionIsDecided', 'DecidedByRail'],
    idempotent: true,
  })
  async decideReportedInfraction(
    @ActingOperator() operator: Operator,
    @Param('id') id: string,
    @ValidBody(DecisionDto) { decision, amount, note }: DecisionDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const decided = { result: decision, amount: amount ? parseAmount(amount) : undefined, note: note ?? undefined };
    const { replayed } = await this.commands.execute(
      new DecideInfraction(id, decided, actorOf(operator), requestId, idempotency),
    );
    markReplayed(reply, replayed);
    return done(await this.#shown(id));
  }

  async #shown(id: string): Promise<OperatorInfractionView> {
    const { infraction, texts } = await this.queries.execute(new GetInfraction(id));
    return showToOperator(infraction, texts);
  }
}
