import { Command } from '@nestjs/cqrs';
import type { LocatedCase } from '../../cases.js';

/** The rail has what an event says: the defence, or the decision. */
export class AnswerInfraction extends Command<void> {
  constructor(
    readonly known: LocatedCase,
    readonly answer: 'Defence' | 'Decision',
    /** Id of that event. */
    readonly causation: string,
  ) {
    super();
  }
}
