import { Command } from '@nestjs/cqrs';
import type { ReportedInfraction } from '../../../pix/index.js';

/** The rail reports an infraction, or what became of one, by notification or sweep. A repetition changes nothing. */
export class ReceiveInfraction extends Command<void> {
  constructor(readonly reported: ReportedInfraction) {
    super();
  }
}
