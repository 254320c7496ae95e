import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { ActingOperator, type Operator, operatorActor, OperatorRoute } from '../../../auth/index.js';
import { partitionOf } from '../../../event-store/index.js';
import {
  Answers,
  DEFAULT_LIMIT,
  done,
  type Envelope,
  IsChoice,
  IsCursor,
  IsFilter,
  IsGivenOnce,
  IsIdFilter,
  IsLimit,
  IsText,
  type Json,
  RequestId,
  rule,
  ValidBody,
  ValidQuery,
} from '../../../platform/http/index.js';
import { RedeliverHost, RedeliveredHost } from '../../commands/redeliver-host/redeliver-host.command.js';
import { FOUND_EXAMPLE } from '../../search/found-transaction.js';
import { CIRCUIT_EXAMPLE, DELIVERY_STATUS, type DeliveryStatus } from '../../../webhooks/index.js';
import { FailingDeliveryPage, FailingDeliveryView } from './deliveries.answer.js';
import { ListFailingDeliveries, ReadDelivery } from './deliveries.query.js';

const { partnerUid, partnerName, accountUid, accountName, id } = FOUND_EXAMPLE;
const HOST = 'partner.example';
const DELIVERY: Json<FailingDeliveryView> = {
  ...{
    id: accountUid,
    transactionId: id,
    transactionState: 'Completed',
    orderId: 'pedido-1042',
    amount: '150.00',
    type: null,
  },
  ...{ accountUid, accountName, partnerUid },
  ...{ partnerName, status: 'Retrying', url: `https://${HOST}/webhooks/pix`, host: HOST, attempts: 2 },
  ...{ lastAttemptAt: '2026-11-20T14:04:10.201Z', httpStatus: 500, error: 'Timeout' },
  nextAttemptAt: '2026-11-20T14:09:05.123Z',
  circuit: CIRCUIT_EXAMPLE,
};
const EXAMPLE: Envelope<Json<FailingDeliveryPage>> = done({
  items: [DELIVERY],
  nextCursor: null,
  hosts: [{ host: HOST, retrying: 1, stopped: 0, exhausted: 0, waiting: 0, circuit: CIRCUIT_EXAMPLE }],
  partitionsAway: [],
});

export class RedeliverHostDto {
  @ApiProperty({ example: HOST, description: 'As in the deliveries: with its port, where the URL has one' })
  @IsText({ minimum: 1, maximum: 300 })
  host: string;
}

const IsUid = () =>
  rule('isUid', (value) =>
    partitionOf(value as string) === undefined
      ? { code: 'InvalidFormat', message: 'must be an identifier' }
      : undefined,
  );

class FailingQuery {
  @IsGivenOnce()
  @IsChoice('Only this status; without it all undelivered ones', DELIVERY_STATUS.enum)
  status?: DeliveryStatus;
  @IsIdFilter('Of this partner (uid)') @IsUid() partner?: string;
  @IsFilter('To this host, with its port where the URL has one') host?: string;
  @IsIdFilter('Of this transaction (id)') @IsUid() transaction?: string;
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}

@ApiTags('Operator')
@Controller('admin/webhooks/deliveries')
@OperatorRoute()
export class OperatorDeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers({
    summary: 'Deliveries of all accounts, newest first; without a status all undelivered ones',
    description:
      'Finds all that are Stopped or Exhausted, and all of a transaction. Of those to be sent, up to 10,000 of a partition are examined, shared by its partners; of delivered ones, the newest 10,000. `hosts`: those of all deliveries, whatever the filters. `partitionsAway`: partitions that did not answer.',
    answer: FailingDeliveryPage,
    example: EXAMPLE,
  })
  async listFailingDeliveries(@ValidQuery(FailingQuery) query: FailingQuery) {
    const { limit, cursor, partner: partnerUid, transaction: transactionId, ...rest } = query;
    return done(
      await this.queries.execute(new ListFailingDeliveries({ ...rest, partnerUid, transactionId }, limit, cursor)),
    );
  }

  @Get(':id')
  @Answers({ summary: 'One delivery', answer: FailingDeliveryView, example: done(DELIVERY), errors: [404] })
  async readDelivery(@Param('id') id: string) {
    return done(await this.queries.execute(new ReadDelivery(id)));
  }

  @Post('redeliver')
  @Answers({
    summary: 'Redeliver all failed deliveries to a host',
    description:
      'Those that are Stopped or Exhausted, 200 at a time. `more`: repeat the request, as some are left, or a partition did not answer.',
    status: 202,
    answer: RedeliveredHost,
    example: done({ queued: 17, more: false }),
  })
  async redeliverHost(
    @ActingOperator() operator: Operator,
    @ValidBody(RedeliverHostDto) { host }: RedeliverHostDto,
    @RequestId() requestId: string,
  ) {
    return done(await this.commands.execute(new RedeliverHost(host, operatorActor(operator), requestId)));
  }
}
