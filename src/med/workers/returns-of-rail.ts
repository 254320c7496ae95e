import { Inject, Injectable } from '@nestjs/common';
import { INFRACTION_RAIL, type InfractionRail } from '../../pix/index.js';
import type { LocatedCase } from '../cases.js';

/** Records returns that a rail which decides has made by itself. */
@Injectable()
export class ReturnsOfRail {
  constructor(@Inject(INFRACTION_RAIL) private readonly rail: InfractionRail) {}

  /** @returns when the rail is to be asked again; `undefined` where it makes none itself */
  async record({ infraction }: LocatedCase): Promise<Date | undefined> {
    if (!this.rail.ownReturns || infraction.status !== 'Agreed') return undefined;
    return undefined;
  }
}
