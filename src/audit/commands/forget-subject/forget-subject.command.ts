import { Command } from '@nestjs/cqrs';
import type { SubjectKey } from '../../domain/forget-subject.decider.js';

/** Destroys a data subject's key, and with it everything personal of theirs, wherever it stands. */
export class ForgetSubject extends Command<void> {
  constructor(
    readonly subject: SubjectKey,
    readonly actor: string,
  ) {
    super();
  }
}
