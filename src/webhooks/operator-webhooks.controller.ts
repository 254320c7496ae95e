import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Registry } from '../accounts/index.js';
import { ActingOperator, type Operator, OperatorRoute } from '../auth/index.js';
import { Answers, done, Paged, parseLimit, RequestId } from '../platform/http/index.js';
import { RedeliverWebhook } from './commands/redeliver-webhook/redeliver-webhook.command.js';
import {
  DELIVERY_FILTERS,
  DELIVERY_NULLABLE,
  DELIVERY_PAGE,
  parseStatus,
} from './queries/deliveries/delivery-filters.js';
import { ListDeliveries } from './queries/deliveries/deliveries.query.js';

@ApiTags('Operator')
@Controller('admin')
@OperatorRoute()
export class OperatorWebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly registry: Registry,
  ) {}

  @Get('accounts/:uid/webhooks/deliveries')
  @Paged(...DELIVERY_FILTERS)
  @Answers({
    summary: 'The delivery log of an account, as its partner reads it',
    status: 200,
    example: DELIVERY_PAGE,
    nullable: DELIVERY_NULLABLE,
    errors: [400, 404],
  })
  async deliveries(
    @Param('uid') uid: string,
    @Query('transactionId') transactionId?: string,
    @Query('status') status?: string,
    @Query('limit') limit?: string,
    @Query('cursor') cursor?: string,
  ) {
    await this.registry.facts(uid);
    const filters = { transactionId, status: parseStatus(status) };
    return done(await this.queries.execute(new ListDeliveries(uid, filters, parseLimit(limit), cursor)));
  }

  @Post('webhooks/deliveries/:id/redeliver')
  @HttpCode(202)
  @Answers({
    summary: 'Make any delivery again, from the first step of the schedule',
    status: 202,
    example: done({ deliveryId: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e' }),
    errors: [404],
  })
  async redeliver(@ActingOperator() operator: Operator, @Param('id') id: string, @RequestId() requestId: string) {
    const actor = `operator:${operator.name}`;
    return done({ deliveryId: await this.commands.execute(new RedeliverWebhook(id, undefined, actor, requestId)) });
  }
}
