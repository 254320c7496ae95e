import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId } from '../../../event-store/index.js';
import { INFRACTION_RAIL, type InfractionRail, PixIdentifiers } from '../../../pix/index.js';
import { Cases, isOf } from '../../cases.js';
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
    // Another rail's money is not returned over this one: that one may give it back itself.
    const returns = this.rail.capabilities.decidedBy === 'Institution' && isOf(this.rail, known);
    for (let current = known; ; current = (await this.cases.logged(known.infraction.id))!) {
      const made = { refundId: newId(partition), ...this.identifiers.newReturn(partition) };
      const { transactionId, agreed, amount, returned } = current.infraction;
      const deposit = await this.cases.deposit(transactionId);
      const left = await this.cases.leftOf(deposit, (agreed ?? amount) - returned);
      let deadline: Date | undefined;
      const { events } = await this.cases.append(
        current,
        {
          actor: 'timer',
          creates: [made.refundId],
          decide: (state, at) => {
            deadline = nextDeadline(state.infraction, state.hold, at);
            return advanceInfraction({ ...state, left, askedAt }, made, at, returns);
          },
        },
        (append) => this.ledger.execute(append),
      );
      if (events.length === 0) return deadline;
    }
  }
}
