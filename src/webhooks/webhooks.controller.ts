import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { keyActor, Caller, Limits, PartnerRoute, type Principal, ReadsInTurn } from '../auth/index.js';
import { Answers, done, RequestId, ValidQuery } from '../platform/http/index.js';
import { AcceptedDelivery, RedeliverWebhook } from './commands/redeliver-webhook/redeliver-webhook.command.js';
import { WebhookAddressBody } from './dto/webhook-address.body.js';
import { TestWebhook } from './commands/test-webhook/test-webhook.command.js';
import { WebhookAddressDto } from './dto/webhook-address.dto.js';
import { DELIVERY_PAGE, DeliveriesQuery } from './queries/deliveries/deliveries.dto.js';
import { DeliveryView, ListDeliveries } from './queries/deliveries/deliveries.query.js';

const ACCEPTED = done({ deliveryId: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e' });

@ApiTags('Webhooks')
@Controller('partners-int/webhooks')
@PartnerRoute('webhooks:manage')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly limits: Limits,
  ) {}

  @Get('deliveries')
  @ReadsInTurn()
  @Answers({
    summary: 'The delivery log of the account, newest first',
    description: 'Follows the log, normally within a second. The newest attempts of a delivery are kept.',
    answer: DeliveryView,
    list: true,
    example: DELIVERY_PAGE,
  })
  async listDeliveries(
    @Caller() caller: Principal,
    @ValidQuery(DeliveriesQuery) { limit, cursor, ...filters }: DeliveriesQuery,
  ) {
    return done(
      await this.queries.execute(new ListDeliveries(caller.partnerUid, caller.accountUid, filters, limit, cursor)),
    );
  }

  @Post('deliveries/:id/redeliver')
  @Answers({
    summary: 'Make a delivery again, from the first step of the schedule',
    description: 'The message is the same, its webhook-id too. A delivery that waits for its first try stays as it is.',
    status: 202,
    answer: AcceptedDelivery,
    example: ACCEPTED,
    errors: [404],
  })
  async redeliverWebhook(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @RequestId() requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.limits.webhooks.take(caller.partnerUid, reply);
    const actor = keyActor(caller);
    return done({
      deliveryId: await this.commands.execute(new RedeliverWebhook(id, caller.accountUid, actor, requestId)),
    });
  }

  @Post('test')
  @ApiBody({ type: WebhookAddressDto })
  @Answers({
    summary: 'Send one signed sample to an address',
    description: 'It is tried, logged and repeated like any delivery; its transactionOrderId is "webhook-test".',
    status: 202,
    answer: AcceptedDelivery,
    example: ACCEPTED,
  })
  async testWebhook(
    @Caller() caller: Principal,
    @Body(WebhookAddressBody) body: WebhookAddressDto,
    @RequestId() requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.limits.webhooks.take(caller.partnerUid, reply);
    return done({ deliveryId: await this.commands.execute(new TestWebhook(caller, body, requestId)) });
  }
}
