import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId } from '../../../event-store/index.js';
import { INFRACTION_RAIL, type InfractionRail, PixIdentifiers } from '../../../pix/index.js';
import { appendToCase, Cases } from '../../cases.js';
import { advanceInfraction, nextDeadline } from '../../domain/advance-infraction.js';
import { AdvanceInfraction } from './advance-infraction.command.js';

/**
 * Takes every step that is due, each in a commit of its own. Safe to repeat: a step is decided on the case as it is in
 * that commit, so two processes never return the same money.
 */
@CommandHandler(AdvanceInfraction)
export class AdvanceInfractionHandler implements ICommandHandler<AdvanceInfraction> {
  constructor(
    private readonly ledger: Ledger,
    private readonly cases: Cases,
    private readonly identifiers: PixIdentifiers,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  async execute({ known, askedAt }: AdvanceInfraction): Promise<Date | undefined> {
    const { partition } = known;
    const returns = this.rail.capabilities.decidedBy === 'Institution';
    for (;;) {
      const made = { refundId: newId(partition), ...this.identifiers.newReturn(partition) };
      const left = await this.cases.leftOf((await this.cases.deposit(known))!);
      let deadline: Date | undefined;
      const { events } = await this.ledger.execute(
        appendToCase(known, {
          actor: 'timer',
          creates: [made.refundId],
          decide: (state, at) => {
            deadline = nextDeadline(state.infraction, state.hold, at);
            return advanceInfraction({ ...state, left, askedAt }, made, at, returns);
          },
        }),
      );
      if (events.length === 0) return deadline;
    }
  }
}
