import { Controller, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { resultOf } from '../../../platform/errors/index.js';
import {
  Answers,
  Idempotency,
  type IdempotentRequest,
  incomplete,
  markReplayed,
  RequestId,
  ValidBody,
} from '../../../platform/http/index.js';
import { RECOVERY_EXAMPLE, RecoveryView } from '../../queries/recoveries/recovery-view.js';
import { GetRecovery } from '../../queries/recoveries/recoveries.query.js';
import { RequestRecovery } from './request-recovery.command.js';
import { RecoveryDto } from './request-recovery.dto.js';

@ApiTags('MED')
@Controller('partners-int/accounts/pix/cashout/:id/recovery')
@PartnerRoute('pix:cashout')
export class RequestRecoveryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers({
    summary: 'Ask for the money of a completed payout back: it was fraud',
    description:
      'Up to 80 days after it was completed. What the payee gives back is a refund of the payout. The answer is the ' +
      'recovery as it is now, also to a repetition under its key.',
    status: 201,
    answer: RecoveryView,
    example: incomplete(RECOVERY_EXAMPLE),
    errors: [404],
    reasons: ['NothingToRecover', 'RecoveryPeriodExpired', 'RecoveryIsOpen', 'RecoveryNotAvailable'],
    idempotent: true,
  })
  async requestRecovery(
    @Caller() caller: Principal,
    @Param('id') payoutId: string,
    @ValidBody(RecoveryDto) { reason, details }: RecoveryDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { id, replayed } = await this.commands.execute(
      new RequestRecovery(caller, payoutId, reason, details, requestId, idempotency),
    );
    markReplayed(reply, replayed);
    return incomplete(await resultOf(this.queries.execute(new GetRecovery(id, caller.accountUid))));
  }
}
