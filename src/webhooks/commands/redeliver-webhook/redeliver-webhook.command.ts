import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../../platform/http/index.js';

export class AcceptedDelivery {
  @ApiProperty(UUID) readonly deliveryId: string;
}

/** Requests a redelivery, from the first step of the schedule. @returns the delivery's id */
export class RedeliverWebhook extends Command<string> {
  constructor(
    readonly deliveryId: string,
    /** The account that must own the delivery; `undefined` for the operator, who may redeliver any. */
    readonly accountUid: string | undefined,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
