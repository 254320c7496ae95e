import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { Cases } from '../../cases.js';
import { answerInfraction } from '../../domain/infraction.decider.js';
import { AnswerInfraction } from './answer-infraction.command.js';

/** Each once, by the event that it answers. */
@CommandHandler(AnswerInfraction)
export class AnswerInfractionHandler implements ICommandHandler<AnswerInfraction> {
  constructor(
    private readonly ledger: Ledger,
    private readonly cases: Cases,
  ) {}

  async execute({ known, answer, causation }: AnswerInfraction): Promise<void> {
    await this.cases.append(
      known,
      {
        actor: 'timer',
        causation,
        idempotency: { scope: 'med-answer', key: causation, request: causation },
        decide: ({ infraction }) => answerInfraction(infraction, known.partnerUid, answer),
      },
      (append) => this.ledger.execute(append),
    );
  }
}
