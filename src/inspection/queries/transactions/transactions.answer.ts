import { ApiProperty } from '@nestjs/swagger';
import { NotificationsView } from '../../../accounts/index.js';
import { MOMENT, POSITION } from '../../../platform/http/index.js';
import { CircuitView, DeliveryView } from '../../../webhooks/index.js';
import { FoundTransaction } from '../../search/search.answer.js';

/** A transaction with its refunds. */
export class InspectedTransaction extends FoundTransaction {
  @ApiProperty(POSITION) readonly position: string;
  readonly orderDescription: string;
  /** By state */
  @ApiProperty({ type: 'object', additionalProperties: MOMENT })
  readonly stateDates: Readonly<Record<string, string>>;
  /** By its type */
  readonly payment: Record<string, unknown> | null;
  readonly webhook: NotificationsView | null;
  readonly refunds: FoundTransaction[];
}

/** A delivery as the partner reads it, with the open circuit that holds it back. */
export class InspectedDelivery extends DeliveryView {
  /** `null` for none */
  readonly circuit: CircuitView | null;
}
