import { Inject, Injectable } from '@nestjs/common';
import { FairTurns } from '../platform/fair-turns.js';
import { PIX_RAIL, type PixRail } from './rails/pix-rail.js';

/**
 * Partners have charges made and cancelled as fast as they ask. Over a rail whose calls share few connections they do
 * so in turns: charges that expire find a connection free, and one partner does not take the place of another.
 */
@Injectable()
export class ChargeTurns {
  readonly #turns: FairTurns | undefined;

  constructor(@Inject(PIX_RAIL) { capabilities: { chargesAtOnce } }: PixRail) {
    this.#turns = chargesAtOnce && new FairTurns({ ...chargesAtOnce, waiting: 256, waitMs: 5_000 });
  }

  /** Whether a call takes from others. */
  get areFew(): boolean {
    return this.#turns !== undefined;
  }

  /** @throws Overloaded when its turn does not come */
  take<T>(partnerUid: string, call: () => Promise<T>): Promise<T> {
    return this.#turns ? this.#turns.take(partnerUid, call) : call();
  }
}
