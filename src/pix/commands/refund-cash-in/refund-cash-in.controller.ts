import { Controller, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DryRunView, previewFor, SUMMARY_EXAMPLE } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import {
  Answers,
  DryRun,
  dryRunAnswer,
  Idempotency,
  type IdempotentRequest,
  incomplete,
  markReplayed,
  OptionalBody,
  RequestId,
} from '../../../platform/http/index.js';
import { parseAmount } from '../../../platform/money.js';
import { CreatedRefund, RefundCashIn } from './refund-cash-in.command.js';
import { RefundCashInDto } from './refund-cash-in.dto.js';

const REFUND = { type: 'Refund', refundOf: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e' } as const;

@ApiTags('Pix')
@Controller('partners-int/accounts/pix/cashin/:id/refunds')
@PartnerRoute('pix:cashin')
export class RefundCashInController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @ApiBody({ type: RefundCashInDto, required: false })
  @Answers({
    summary: 'Give a completed deposit back, whole or in parts',
    description: 'Up to 90 days after it was completed. The refund is a transaction of its own.',
    status: 201,
    answer: CreatedRefund,
    example: incomplete({ transaction: { ...SUMMARY_EXAMPLE, ...REFUND } }),
    errors: [404],
    reasons: [
      'PaymentValueMustBeGreaterThanZero',
      'CustomerAccountIsNotActive',
      'TransitionNotAllowed',
      'RefundExceedsOriginal',
      'RefundPeriodExpired',
      'CustomerAccountInsufficientFunds',
    ],
    idempotent: true,
    dryRun: DryRunView,
  })
  async refundCashIn(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @OptionalBody(RefundCashInDto) body: RefundCashInDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const amount = body.amount === undefined || body.amount === null ? undefined : parseAmount(body.amount);
    const preview = await previewFor(this.queries, isDryRun, caller.accountUid);
    const accepted = await this.commands.execute(
      new RefundCashIn(caller, id, amount, body.reason || undefined, requestId, idempotency, preview),
    );
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, accepted.replayed);
    return incomplete({ transaction: accepted.transaction });
  }
}
