import { Command } from '@nestjs/cqrs';
import type { Schedule } from '../../domain/schedule.js';

/** The newest run of a schedule is due: the next one is made. */
export class MakeNextRun extends Command<void> {
  constructor(
    /** As the log has it. */
    readonly schedule: Schedule,
    readonly timerId: string,
  ) {
    super();
  }
}
