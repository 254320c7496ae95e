import { Command } from '@nestjs/cqrs';
import type { ReportedInfraction } from '../../../pix/index.js';

/**
 * The rail reports an infraction, or what became of one, by notification or sweep. A repetition changes nothing.
 * @returns whether it is about a completed deposit of ours: it may come before its deposit is recorded
 */
export class ReceiveInfraction extends Command<boolean> {
  constructor(readonly reported: ReportedInfraction) {
    super();
  }
}
