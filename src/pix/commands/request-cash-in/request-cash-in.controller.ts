import { Body, Controller, Post, Res } from '@nestjs/common';
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
  RequestId,
} from '../../../platform/http/index.js';
import { notifies } from '../../dto/notification.dto.js';
import { CashInBody, type RequestedCashIn } from './cash-in.body.js';
import { CreatedCashIn, RequestCashIn } from './request-cash-in.command.js';
import { RequestCashInDto } from './request-cash-in.dto.js';

const PAYMENT_EXAMPLE = {
  qrCode: '00020101021226…6304ABCD',
  qrCodeLocation: 'https://pay.example/pix/qrcode/0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
};

@ApiTags('Pix')
@Controller('partners-int/accounts/pix/cashin')
@PartnerRoute('pix:cashin')
export class RequestCashInController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @ApiBody({ type: RequestCashInDto })
  @Answers({
    summary: 'Ask for a deposit by Pix',
    description: 'Answers with a code for the payer to paste or scan. A webhook is sent at each change of state.',
    status: 201,
    answer: CreatedCashIn,
    example: incomplete({ transaction: SUMMARY_EXAMPLE, payment: PAYMENT_EXAMPLE }),
    reasons: [
      'PaymentValueMustBeGreaterThanZero',
      'AmountBelowMinimum',
      'AmountAboveMaximum',
      'PaymentValueNotAboveCharge',
      'CustomerAccountIsNotActive',
      'OrderIdAlreadyUsed',
      'BalanceLimitExceeded',
      'PayerCannotBeVerified',
      'ChargeRefusedByRail',
    ],
    idempotent: true,
    dryRun: DryRunView,
    ...notifies('cashInChanged'),
  })
  async requestCashIn(
    @Caller() caller: Principal,
    @Body(CashInBody) cashIn: RequestedCashIn,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const preview = await previewFor(this.queries, isDryRun, caller.accountUid);
    const accepted = await this.commands.execute(new RequestCashIn(caller, cashIn, requestId, idempotency, preview));
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, accepted.replayed);
    return incomplete({ transaction: accepted.transaction, payment: accepted.payment });
  }
}
