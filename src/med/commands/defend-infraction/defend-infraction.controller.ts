import { Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { resultOf } from '../../../platform/errors/index.js';
import {
  Answers,
  done,
  Idempotency,
  type IdempotentRequest,
  markReplayed,
  RequestId,
  ValidBody,
} from '../../../platform/http/index.js';
import { INFRACTION_EXAMPLE, InfractionView, showInfraction } from '../../queries/infractions/infraction-view.js';
import { GetInfraction } from '../../queries/infractions/infractions.query.js';
import { DefendInfraction } from './defend-infraction.command.js';
import { DefenceDto } from './defend-infraction.dto.js';

@ApiTags('MED')
@Controller('partners-int/med/:id/defence')
@PartnerRoute('pix:cashin')
export class DefendInfractionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @HttpCode(200)
  @Answers({
    summary: 'Defend a deposit that its payer reports as fraud',
    description:
      'Once, and until `defenceUntil`. Links are https addresses of evidence. The answer is the case as it is now, ' +
      'also to a repetition under its key.',
    answer: InfractionView,
    example: done(INFRACTION_EXAMPLE),
    errors: [404],
    reasons: ['DefenceNotPossible', 'InfractionIsDecided'],
    idempotent: true,
  })
  async defendInfraction(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @ValidBody(DefenceDto) { text, links }: DefenceDto,
    @RequestId() requestId: string,
    @Idempotency() idempotency: IdempotentRequest | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { replayed } = await this.commands.execute(
      new DefendInfraction(caller, id, { text, links: links ?? [] }, requestId, idempotency),
    );
    markReplayed(reply, replayed);
    const { accountUid } = caller;
    return done(showInfraction(await resultOf(this.queries.execute(new GetInfraction(id, { accountUid })))));
  }
}
