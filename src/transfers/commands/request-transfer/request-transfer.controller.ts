import { Controller, Post, Res, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DryRunView, laterTerms, previewFor } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import {
  Answers,
  asKept,
  done,
  DryRun,
  dryRunAnswer,
  type Envelope,
  Idempotency,
  type IdempotentRequest,
  markReplayed,
  RequestId,
  ValidBody,
} from '../../../platform/http/index.js';
import { parseAmount } from '../../../platform/money.js';
import { LegacyNoticeGuard } from './legacy-notice.guard.js';
import { RequestTransfer } from './request-transfer.command.js';
import { RequestTransferDto } from './request-transfer.dto.js';
import { showTransfer, TRANSFER_EXAMPLE, TransferAnswer } from './transfer.answer.js';

@ApiTags('Transfers')
@Controller('partners-int/accounts/transfer')
@PartnerRoute('transfers:write')
export class RequestTransferController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

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
    example: done(TRANSFER_EXAMPLE),
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
    dryRun: DryRunView,
  })
  async requestTransfer(
    @Caller() caller: Principal,
    @ValidBody(RequestTransferDto) body: RequestTransferDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @DryRun() isDryRun: boolean,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<TransferAnswer>> {
    const amount = parseAmount(body.transferAmount)!;
    const to = asKept(body.refAccountCredit);
    const { transferDescription: description } = body;
    const preview = await previewFor(this.queries, isDryRun, caller.accountUid);
    const transfer = await this.commands.execute(
      new RequestTransfer(caller, to, amount, description, requestId, idempotency, preview, laterTerms(body)),
    );
    if (preview) return dryRunAnswer(reply, preview.of(idempotency?.key));
    markReplayed(reply, transfer.replayed);
    return showTransfer(transfer);
  }
}
