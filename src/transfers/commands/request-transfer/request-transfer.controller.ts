import { Controller, Post, Res, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { laterTerms } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import {
  Answers,
  done,
  type Envelope,
  Idempotency,
  type IdempotentRequest,
  incomplete,
  markReplayed,
  MOMENT,
  RequestId,
  readCompiled,
  UUID,
  ValidBody,
} from '../../../platform/http/index.js';
import { parseAmount } from '../../../platform/money.js';
import { ScheduleTransfer } from '../schedule-transfer/schedule-transfer.command.js';
import { LegacyNoticeGuard } from './legacy-notice.guard.js';
import { RequestTransfer } from './request-transfer.command.js';
import { RequestTransferDto } from './request-transfer.dto.js';

const LOCAL = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$`;

class TransferAnswer {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty({ pattern: LOCAL, description: 'UTC, without a zone; absent while it is scheduled' })
  readonly settlementDate?: string;

  /** Of a transfer that is scheduled, as the next ones */
  @ApiProperty(MOMENT) readonly scheduledFor?: string;
  @ApiProperty(MOMENT) readonly retryUntil?: string;
  @ApiProperty({ enum: ['Scheduled'] }) readonly state?: 'Scheduled';
}

@ApiTags('Transfers')
@Controller('partners-int/accounts/transfer')
@PartnerRoute('transfers:write')
export class RequestTransferController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @UseGuards(LegacyNoticeGuard)
  @Answers({
    summary: 'Move money to another account of the same partner',
    description:
      'At once, or at the time of `scheduledFor`: it is then `Scheduled`, nothing is held for it, and it is decided by ' +
      'the rules and funds of that time (docs/schedules.md). ' +
      'Deprecated for accounts of class Legacy: their answers carry Deprecation (RFC 9745) and, where a date is set, Sunset (RFC 8594).',
    status: 201,
    answer: TransferAnswer,
    example: done({ id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e', settlementDate: '2026-11-20T14:04:05.123' }),
    errors: [404],
    reasons: [
      'TransferAmountMustBeGreaterThanZero',
      'AmountBelowMinimum',
      'AmountAboveMaximum',
      'CustomerAccountIsNotActive',
      'TransferNotAvailableForAccountClass',
      'TransferToSameAccountNotAllowed',
      'DestinationAccountIsNotActive',
      'CustomerAccountInsufficientFunds',
      'BalanceLimitExceeded',
      'ScheduledForNotAllowed',
      'RetryUntilNotAllowed',
      'TooManyScheduled',
    ],
    idempotent: true,
    mayBeIncomplete: true,
  })
  async requestTransfer(
    @Caller() caller: Principal,
    @ValidBody(RequestTransferDto, readCompiled) body: RequestTransferDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<TransferAnswer>> {
    const amount = parseAmount(body.transferAmount)!;
    const { refAccountCredit: to, transferDescription: description } = body;
    const terms = laterTerms(body);
    if (terms) {
      const { replayed, ...scheduled } = await this.commands.execute(
        new ScheduleTransfer(caller, { destinationUid: to, amount, description }, terms, requestId, idempotency),
      );
      markReplayed(reply, replayed);
      return incomplete({ ...scheduled, state: 'Scheduled' });
    }
    const transfer = await this.commands.execute(
      new RequestTransfer(caller, to, amount, description, requestId, idempotency),
    );
    markReplayed(reply, transfer.replayed);
    // Contract 2.3: fractional seconds and no zone; it is UTC.
    return done({ id: transfer.id, settlementDate: transfer.settledAt.toISOString().slice(0, -1) });
  }
}
