import { Command } from '@nestjs/cqrs';
import { partitionOf, type Preview } from '../../../event-store/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import { Homed } from '../../../platform/workers/index.js';

/** What left a hold. */
export interface HoldMovement {
  /** The hold. */
  readonly id: string;
  /** Centavos. */
  readonly amount: bigint;
  /** The hold has ended. */
  readonly closed: boolean;
  readonly date: Date;
  readonly replayed: boolean;
}

/** Makes money of a hold available again. */
@Homed<ReleaseHold>(({ uid }) => partitionOf(uid))
export class ReleaseHold extends Command<HoldMovement> {
  constructor(
    readonly uid: string,
    readonly id: string,
    /** Centavos, above zero; `undefined` for all, which ends the hold. */
    readonly amount: bigint | undefined,
    readonly actor: string,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
