import { Body, Controller, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SUMMARY_EXAMPLE } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import {
  Answers,
  Idempotency,
  type IdempotentRequest,
  incomplete,
  markReplayed,
  RequestId,
} from '../../../platform/http/index.js';
import { notifies } from '../../dto/notification.dto.js';
import { PAYMENT_REASONS } from '../../domain/code-refused.js';
import { ScheduleCashOut } from '../schedule-cash-out/schedule-cash-out.command.js';
import { CashOutBody } from './cash-out.body.js';
import { CreatedCashOut, RequestCashOut, type RequestedCashOut } from './request-cash-out.command.js';
import { RequestCashOutDto } from './request-cash-out.dto.js';

@ApiTags('Pix')
@Controller('partners-int/accounts/pix/cashout')
@PartnerRoute('pix:cashout')
export class RequestCashOutController {
  constructor(private readonly commands: CommandBus) {}

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
      'CustomerAccountInsufficientFunds',
      'ScheduledForNotAllowed',
      'RetryUntilNotAllowed',
      'TooManyScheduled',
    ],
    idempotent: true,
    ...notifies('cashOutChanged'),
  })
  async requestCashOut(
    @Caller() caller: Principal,
    @Body(CashOutBody) cashOut: RequestedCashOut,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const accepted = await this.commands.execute(
      cashOut.terms
        ? new ScheduleCashOut(caller, { ...cashOut, terms: cashOut.terms }, requestId, idempotency)
        : new RequestCashOut(caller, cashOut, requestId, idempotency),
    );
    markReplayed(reply, accepted.replayed);
    const { replayed: _, ...created } = accepted;
    return incomplete(created);
  }
}
