import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  forgottenSubjectProjection,
  RareCommands,
  REGISTRY_PARTITION,
  streamOfSubject,
  SubjectVault,
} from '../../../event-store/index.js';
import { decideForgetting } from '../../domain/forget-subject.decider.js';
import { ForgetSubject } from './forget-subject.command.js';

@CommandHandler(ForgetSubject)
export class ForgetSubjectHandler implements ICommandHandler<ForgetSubject> {
  constructor(
    private readonly commands: RareCommands,
    private readonly vault: SubjectVault,
  ) {}

  /**
   * Destroys the key in the commit of its event, then records it in partition 0 too, which caches follow. It checks
   * nothing: right before, the caller checks that retention is over and nothing is open.
   */
  async execute({ subject: key, actor }: ForgetSubject): Promise<void> {
    const { partition, subject, partnerUid } = key;
    const row = { projection: forgottenSubjectProjection, key: subject, stream: streamOfSubject(subject) };
    for (const where of new Set([partition, REGISTRY_PARTITION])) {
      await this.commands.execute(row, {
        partition: where,
        reads: { forgottenSubjects: [subject] },
        decide: (rows) => decideForgetting(rows.of(forgottenSubjectProjection).has(subject), key),
        metadata: { actor, correlation: partnerUid },
      });
    }
    this.vault.clear();
  }
}
