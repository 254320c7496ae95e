import { Command } from '@nestjs/cqrs';
import type { LocatedSubject } from '../../domain/forget-subject.decider.js';

/** Destroys a data subject's key: all of their personal data becomes unreadable, wherever it is stored. */
export class ForgetSubject extends Command<void> {
  constructor(
    readonly subject: LocatedSubject,
    readonly actor: string,
  ) {
    super();
  }
}
