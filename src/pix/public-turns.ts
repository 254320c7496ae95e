import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { FairTurns } from '../platform/fair-turns.js';
import { inTurn, networkOf, requestOf } from '../platform/http/index.js';

/**
 * Images, receipts and charges are public: four requests run at once, so that other requests are not delayed, and the
 * rest wait in a queue that is fair between client networks.
 */
@Injectable()
export class PublicTurns implements NestInterceptor {
  readonly #turns = new FairTurns({ atOnce: 4, waiting: 512, waitMs: 5_000 });

  intercept(context: ExecutionContext, next: CallHandler) {
    return inTurn(this.#turns, networkOf(requestOf(context).ip), next);
  }
}
