import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../../platform/http/index.js';

export class AcceptedDelivery {
  @ApiProperty(UUID) readonly deliveryId: string;
}

/** Asks for a delivery to be made again, from the first step of the schedule. @returns the delivery's id */
export class RedeliverWebhook extends Command<string> {
  constructor(
    readonly deliveryId: string,
    /** The account whose delivery it must be; `undefined` for the operator, who may ask for any. */
    readonly accountUid: string | undefined,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
