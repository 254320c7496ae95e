import { Command } from '@nestjs/cqrs';
import type { LocatedCase } from '../../cases.js';

/**
 * Time, or money that came in, may move a case on. @returns when time alone does next; `undefined` where it never will
 */
export class AdvanceInfraction extends Command<Date | undefined> {
  constructor(
    readonly known: LocatedCase,
    /** When the rail was asked for what it gave back by itself. */
    readonly askedAt: Date,
  ) {
    super();
  }
}
