import { Controller, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  DryRunView,
  ExecuteHold,
  HOLD_EXAMPLE,
  type HoldMovement,
  HoldView,
  parseEnd,
  PlaceHold,
  previewFor,
  ReleaseHold,
  showHold,
  SUMMARY_EXAMPLE,
} from '../accounts/index.js';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../auth/index.js';
import {
  Answers,
  done,
  DryRun,
  dryRunAnswer,
  Idempotency,
  type IdempotentRequest,
  incomplete,
  markReplayed,
  OptionalBody,
  RequestId,
  ValidBody,
} from '../platform/http/index.js';
import { CreatedRefund, ReturnHold } from '../pix/index.js';
import { formatAmount, parseAmount } from '../platform/money.js';
import { ExecuteHoldDto, PlaceHoldDto, ReleaseHoldDto, ReturnHoldDto } from './holds.dto.js';
import { HoldMovementView } from './operator.answer.js';

const MOVEMENT = {
  id: HOLD_EXAMPLE.id,
  amount: '300.00',
  status: 'Closed' as const,
  date: '2026-11-21T14:04:05.123Z',
};

@ApiTags('Operator')
@Controller('admin/accounts/:uid/holds')
@OperatorRoute()
export class OperatorHoldsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers({
    summary: 'Block money of an account',
    description:
      'Takes what is available, up to the amount. With `retryUntil` later credits fill it as they arrive, older holds first.',
    status: 201,
    answer: HoldView,
    example: done(HOLD_EXAMPLE),
    errors: [404],
    reasons: ['AmountMustBeGreaterThanZero', 'RetryTimeNotInFuture'],
    idempotent: true,
    dryRun: DryRunView,
  })
  async placeHold(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @ValidBody(PlaceHoldDto) body: PlaceHoldDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const order = {
      amount: parseAmount(body.amount)!,
      cause: body.cause,
      reference: body.reference,
      retryUntil: body.retryUntil ? parseEnd(body.retryUntil) : undefined,
      note: body.note ?? undefined,
    };
    const preview = await previewFor(this.queries, isDryRun, uid);
    const { hold, replayed } = await this.commands.execute(
      new PlaceHold(uid, order, operatorActor(operator), requestId, idempotency, preview),
    );
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, replayed);
    return done(showHold(hold));
  }

  @Post(':id/release')
  @ApiBody({ type: ReleaseHoldDto, required: false })
  @Answers({
    summary: 'Make blocked money available again',
    description: 'Without an amount all of it, and the hold ends. What is released in part is not taken for it again.',
    answer: HoldMovementView,
    example: done(MOVEMENT),
    errors: [404],
    reasons: ['AmountMustBeGreaterThanZero', 'HoldIsOfCase', 'HoldIsClosed', 'HoldExceeded'],
    idempotent: true,
    dryRun: DryRunView,
  })
  async releaseHold(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @Param('id') id: string,
    @OptionalBody(ReleaseHoldDto) body: ReleaseHoldDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const amount = body.amount ? parseAmount(body.amount) : undefined;
    const preview = await previewFor(this.queries, isDryRun, uid);
    const movement = await this.commands.execute(
      new ReleaseHold(uid, id, amount, operatorActor(operator), requestId, idempotency, preview),
    );
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, movement.replayed);
    return done(show(movement));
  }

  @Post(':id/return')
  @ApiBody({ type: ReturnHoldDto, required: false })
  @Answers({
    summary: 'Send a blocked deposit back to its payer',
    description:
      'What was blocked of it on its arrival, whole or in parts, as a refund over the rail. Where the rail refuses, the ' +
      'money is blocked again.',
    status: 201,
    answer: CreatedRefund,
    example: incomplete({ transaction: { ...SUMMARY_EXAMPLE, type: 'Refund', refundOf: HOLD_EXAMPLE.id } }),
    errors: [404],
    reasons: [
      'AmountMustBeGreaterThanZero',
      'HoldIsClosed',
      'HoldExceeded',
      'HoldIsOfNoDeposit',
      'RefundExceedsOriginal',
    ],
    idempotent: true,
    dryRun: DryRunView,
  })
  async returnHold(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @Param('id') id: string,
    @OptionalBody(ReturnHoldDto) body: ReturnHoldDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const amount = body.amount ? parseAmount(body.amount) : undefined;
    const preview = await previewFor(this.queries, isDryRun, uid);
    const { transaction, replayed } = await this.commands.execute(
      new ReturnHold(uid, id, amount, body.code ?? 'FR01', operatorActor(operator), requestId, idempotency, preview),
    );
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, replayed);
    return incomplete({ transaction });
  }

  @Post(':id/execute')
  @Answers({
    summary: 'Let blocked money leave the account',
    description:
      "Books it out to the partner's account of executed holds. The payment itself is made outside of this service.",
    answer: HoldMovementView,
    example: done(MOVEMENT),
    errors: [404],
    reasons: ['AmountMustBeGreaterThanZero', 'HoldIsOfCase', 'HoldIsClosed', 'HoldExceeded', 'BalanceLimitExceeded'],
    idempotent: true,
    dryRun: DryRunView,
  })
  async executeHold(
    @ActingOperator() operator: Operator,
    @Param('uid') uid: string,
    @Param('id') id: string,
    @ValidBody(ExecuteHoldDto) body: ExecuteHoldDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { kind, reference } = body.destination;
    const amount = parseAmount(body.amount)!;
    const preview = await previewFor(this.queries, isDryRun, uid);
    const movement = await this.commands.execute(
      new ExecuteHold(uid, id, amount, { kind, reference }, operatorActor(operator), requestId, idempotency, preview),
    );
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, movement.replayed);
    return done(show(movement));
  }
}

function show({ id, amount, closed, date }: HoldMovement): HoldMovementView {
  return { id, amount: formatAmount(amount), status: closed ? 'Closed' : 'Open', date };
}
