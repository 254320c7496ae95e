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
import { PAYMENT_REASONS } from '../../domain/code-refused.js';
import type { RequestedCashOut } from '../requested-cash-out.js';
import { CashOutBody } from './cash-out.body.js';
import { CreatedCashOut, showCashOut } from './cash-out.answer.js';
import { RequestCashOut } from './request-cash-out.command.js';
import { RequestCashOutDto } from './request-cash-out.dto.js';

@ApiTags('Pix')
@Controller('partners-int/accounts/pix/cashout')
@PartnerRoute('pix:cashout')
export class RequestCashOutController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @ApiBody({ type: RequestCashOutDto })
  @Answers({
    summary: 'Pay a recipient by Pix',
    description:
      'By key, by bank account, by a key that must belong to a bank account, or by a copy-and-paste code: the body ' +
      'selects the method. ' +
      'Amount and charge are held until the rail has answered; a webhook is sent at its end. ' +
      'With `transaction.scheduledFor` it is `Scheduled`, and all this happens at that time (docs/schedules.md).',
    status: 201,
    answer: CreatedCashOut,
    example: incomplete({ transaction: SUMMARY_EXAMPLE }),
    reasons: [
      'PaymentValueMustBeGreaterThanZero',
      'AmountBelowMinimum',
      'AmountAboveMaximum',
      'AccountDigitIsRequired',
      'CustomerAccountIsNotActive',
      'OrderIdAlreadyUsed',
      'CashOutNotAvailable',
      'KeyAccountCheckNotAvailable',
      'AccountTypeNotAvailable',
      ...PAYMENT_REASONS,
      'PaymentLimitExceeded',
      'PayoutsPerHourExceeded',
      'DayLimitExceeded',
      'NightLimitExceeded',
      'MonthLimitExceeded',
      'PayeeDayLimitExceeded',
      'PayeeNightLimitExceeded',
      'CustomerAccountInsufficientFunds',
      'ScheduledForNotAllowed',
      'RetryUntilNotAllowed',
      'TooManyScheduled',
    ],
    idempotent: true,
    dryRun: DryRunView,
    ...notifies('cashOutChanged'),
  })
  async requestCashOut(
    @Caller() caller: Principal,
    @Body(CashOutBody) cashOut: RequestedCashOut,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const preview = await previewFor(this.queries, isDryRun, caller.accountUid);
    const accepted = await this.commands.execute(new RequestCashOut(caller, cashOut, requestId, idempotency, preview));
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, accepted.replayed);
    return showCashOut(accepted);
  }
}
