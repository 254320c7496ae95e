import { Command } from '@nestjs/cqrs';
import { partitionOf, type Preview } from '../../../event-store/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { Hold } from '../../domain/hold.js';
import type { HoldCause } from '../../domain/hold.events.js';
import { Homed } from '../../../platform/workers/index.js';

export interface PlacedHold {
  /** As it was placed. */
  readonly hold: Hold;
  readonly replayed: boolean;
}

export interface HoldOrder {
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly cause: HoldCause;
  readonly reference: string;
  readonly retryUntil?: Date;
  readonly note?: string;
}

/** Blocks what is available of an amount; with a time until then, later credits too. */
@Homed<PlaceHold>(({ uid }) => partitionOf(uid))
export class PlaceHold extends Command<PlacedHold> {
  constructor(
    readonly uid: string,
    readonly order: HoldOrder,
    readonly actor: string,
    readonly requestId?: string,
    readonly idempotency?: IdempotentRequest,
    readonly preview?: Preview,
  ) {
    super();
  }
}
