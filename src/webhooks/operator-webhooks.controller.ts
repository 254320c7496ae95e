import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetAccountOwner } from '../accounts/index.js';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../auth/index.js';
import { Answers, done, RequestId, ValidQuery } from '../platform/http/index.js';
import { AcceptedDelivery, RedeliverWebhook } from './commands/redeliver-webhook/redeliver-webhook.command.js';
import { DELIVERY_PAGE, DeliveriesQuery } from './queries/deliveries/deliveries.dto.js';
import { BACK_OFFICE, DeliveryView, ListDeliveries } from './queries/deliveries/deliveries.query.js';

@ApiTags('Operator')
@Controller('admin')
@OperatorRoute()
export class OperatorWebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('accounts/:uid/webhooks/deliveries')
  @Answers({
    summary: 'The delivery log of an account, as its partner reads it',
    answer: DeliveryView,
    list: true,
    example: DELIVERY_PAGE,
    errors: [404],
  })
  async listDeliveriesOfAccount(
    @Param('uid') uid: string,
    @ValidQuery(DeliveriesQuery) { limit, cursor, ...filters }: DeliveriesQuery,
  ) {
    await this.queries.execute(new GetAccountOwner(uid));
    return done(await this.queries.execute(new ListDeliveries(BACK_OFFICE, uid, filters, limit, cursor)));
  }

  @Post('webhooks/deliveries/:id/redeliver')
  @Answers({
    summary: 'Make any delivery again, from the first step of the schedule',
    status: 202,
    answer: AcceptedDelivery,
    example: done({ deliveryId: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e' }),
    errors: [404],
  })
  async redeliverAnyWebhook(
    @ActingOperator() operator: Operator,
    @Param('id') id: string,
    @RequestId() requestId: string,
  ) {
    const actor = operatorActor(operator);
    return done({ deliveryId: await this.commands.execute(new RedeliverWebhook(id, undefined, actor, requestId)) });
  }
}
