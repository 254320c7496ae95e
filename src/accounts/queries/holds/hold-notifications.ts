import { ApiProperty } from '@nestjs/swagger';
import type { RecordedEvent } from '../../../event-store/index.js';
import { UUID } from '../../../platform/http/index.js';
import { holdToldBy } from '../../domain/hold.js';
import {
  HoldDrawn,
  HoldExecuted,
  HoldFilled,
  HoldPlaced,
  HoldReleased,
  HoldRestored,
} from '../../domain/hold.events.js';
import { describeNotification, type Notification } from '../../domain/notification.js';
import { HoldView, showHold } from './hold-view.js';

/** What partners are told of a hold: as they read it, and whose it is. */
export class HoldNotification extends HoldView {
  @ApiProperty(UUID) readonly accountUid: string;
}

export const HOLD_CHANGES = [
  'hold.placed',
  'hold.filled',
  'hold.released',
  'hold.executed',
  'hold.drawn',
  'hold.restored',
] as const;

describeNotification(HoldPlaced, (event) => told('hold.placed', event));
describeNotification(HoldFilled, (event) => told('hold.filled', event));
describeNotification(HoldReleased, (event) => told('hold.released', event));
describeNotification(HoldExecuted, (event) => told('hold.executed', event));
describeNotification(HoldDrawn, (event) => told('hold.drawn', event));
describeNotification(HoldRestored, (event) => told('hold.restored', event));

function told(type: (typeof HOLD_CHANGES)[number], event: RecordedEvent): Notification | undefined {
  const hold = holdToldBy(event);
  if (!hold) return undefined;
  const { accountUid } = hold;
  const data: HoldNotification = { accountUid, ...showHold(hold) };
  return { type, accountUid, subjectId: hold.id, data };
}
