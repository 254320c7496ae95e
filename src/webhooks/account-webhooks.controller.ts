import { Body, Controller, Delete, Get, Param, Put, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Caller, Limits, PartnerRoute, type Principal, ReadsInTurn } from '../auth/index.js';
import { Answers, done, RequestId } from '../platform/http/index.js';
import { RemoveAccountWebhook } from './commands/remove-account-webhook/remove-account-webhook.command.js';
import { SetAccountWebhook } from './commands/set-account-webhook/set-account-webhook.command.js';
import { NOTIFIES_ACCOUNT } from './dto/account-notifications.dto.js';
import { WebhookAddressBody } from './dto/webhook-address.body.js';
import { WebhookAddressDto } from './dto/webhook-address.dto.js';
import {
  ACCOUNT_WEBHOOK_EXAMPLE,
  AccountWebhookView,
  GetAccountWebhook,
  RemovedAccountWebhook,
  showAccountWebhook,
} from './queries/account-webhook/account-webhook.query.js';

@ApiTags('Webhooks')
@Controller('partners-int/accounts/:uid/webhook')
@PartnerRoute('webhooks:manage')
export class AccountWebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly limits: Limits,
  ) {}

  @Put()
  @ApiBody({ type: WebhookAddressDto })
  @Answers({
    summary: 'Register the address at which you are told what happens to an account',
    description:
      'It takes the place of the one before it. What happened before is told where it was then; changes of state of payments go to the address that their request names.',
    answer: AccountWebhookView,
    example: done(ACCOUNT_WEBHOOK_EXAMPLE),
    errors: [404],
    ...NOTIFIES_ACCOUNT,
  })
  async setAccountWebhook(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @Body(WebhookAddressBody) body: WebhookAddressDto,
    @RequestId() requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.limits.webhooks.take(caller.partnerUid, reply);
    const webhook = await this.commands.execute(new SetAccountWebhook(uid, body, caller, requestId));
    return done(showAccountWebhook(webhook, body.url));
  }

  @Get()
  @ReadsInTurn()
  @Answers({
    summary: 'The address of an account',
    answer: AccountWebhookView,
    example: done(ACCOUNT_WEBHOOK_EXAMPLE),
    errors: [404],
  })
  async getAccountWebhook(@Caller() caller: Principal, @Param('uid') uid: string) {
    return done(await this.queries.execute(new GetAccountWebhook(uid, caller.partnerUid)));
  }

  @Delete()
  @Answers({
    summary: 'Remove the address of an account',
    description: 'What happened before is still delivered. Without an address nothing is done.',
    answer: RemovedAccountWebhook,
    example: done({ removed: true }),
    errors: [404],
  })
  async removeAccountWebhook(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @RequestId() requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.limits.webhooks.take(caller.partnerUid, reply);
    await this.commands.execute(new RemoveAccountWebhook(uid, caller, requestId));
    return done({ removed: true as const });
  }
}
