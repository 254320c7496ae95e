import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { FairTurns } from '../platform/fair-turns.js';
import { inTurn, requestOf } from '../platform/http/index.js';
import type { Authenticated } from './principal.js';

/**
 * Reads on the connections that all requests share. A limit is of a key, and a partner may have many keys: it has four
 * such requests at once. The rest wait in fair turns, a burst of a key's whole limit too.
 */
@Injectable()
export class PartnerTurns extends FairTurns {
  constructor() {
    super({ atOnce: 64, atOnceOfOne: 4, waiting: 2_048, waitMs: 3_000 });
  }
}

/** Nest makes one for each module with such routes: the turns are the same. */
@Injectable()
class InPartnersTurn implements NestInterceptor {
  constructor(private readonly turns: PartnerTurns) {}

  intercept(context: ExecutionContext, next: CallHandler) {
    return inTurn(this.turns, requestOf<Authenticated>(context).principal!.partnerUid, next);
  }
}

/** A partner's read that takes a connection of those that all requests share: each has its turn. */
export const ReadsInTurn = () => UseInterceptors(InPartnersTurn);
