import { Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type DryRunPreview, DryRunView, previewFor } from '../accounts/index.js';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../auth/index.js';
import {
  DecideInfraction,
  GetInfraction,
  OPERATOR_INFRACTION_EXAMPLE,
  OperatorInfractionView,
  showToOperator,
} from '../med/index.js';
import { resultOf } from '../platform/errors/index.js';
import {
  Answers,
  done,
  DryRun,
  dryRunAnswer,
  Idempotency,
  type IdempotentRequest,
  markReplayed,
  RequestId,
  ValidBody,
} from '../platform/http/index.js';
import { parseAmount } from '../platform/money.js';
import { DecisionDto } from './med.dto.js';

@ApiTags('Operator')
@Controller('admin/med')
@OperatorRoute()
export class OperatorMedController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post(':id/decision')
  @HttpCode(200)
  @Answers({
    summary: 'Decide about a report',
    description:
      'Agreed: what is blocked goes back to the payer, and what comes in later, until `returnUntil`. Rejected: it is available again. ' +
      'A dry run shows what the decision itself moves; the returns follow it.',
    answer: OperatorInfractionView,
    example: done({ ...OPERATOR_INFRACTION_EXAMPLE, status: 'Agreed', agreed: '100.00' }),
    errors: [404],
    reasons: ['AmountMustBeGreaterThanZero', 'ReturnExceedsReport', 'InfractionIsDecided', 'DecidedByRail'],
    idempotent: true,
    dryRun: DryRunView,
  })
  async decideReportedInfraction(
    @ActingOperator() operator: Operator,
    @Param('id') id: string,
    @ValidBody(DecisionDto) { decision, amount, note }: DecisionDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const decided = { result: decision, amount: amount ? parseAmount(amount) : undefined, note: note ?? undefined };
    const preview = await this.#previewFor(isDryRun, id);
    const { replayed } = await this.commands.execute(
      new DecideInfraction(id, decided, operatorActor(operator), requestId, idempotency, preview),
    );
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, replayed);
    return done(showToOperator(await resultOf(this.queries.execute(new GetInfraction(id)))));
  }

  async #previewFor(isDryRun: boolean, infractionId: string): Promise<DryRunPreview | undefined> {
    if (!isDryRun) return undefined;
    const { infraction } = await this.queries.execute(new GetInfraction(infractionId));
    return previewFor(this.queries, isDryRun, infraction.accountUid);
  }
}
