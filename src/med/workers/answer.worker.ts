import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SubjectVault, type WorkItem, type WorkResult } from '../../event-store/index.js';
import { INFRACTION_RAIL, type InfractionRail, OfAnotherRail } from '../../pix/index.js';
import { Cases, isOf, type LocatedCase } from '../cases.js';
import { AnswerInfraction } from '../commands/answer-infraction/answer-infraction.command.js';

/** What the rail is told where the words were forgotten meanwhile. */
const FORGOTTEN = '-';

/** Tells the rail that reported a case what a partner said, or what was decided, until it has it. */
@Injectable()
export class AnswerWorker {
  constructor(
    private readonly commands: CommandBus,
    private readonly cases: Cases,
    private readonly vault: SubjectVault,
    @Inject(INFRACTION_RAIL) private readonly rail: InfractionRail,
  ) {}

  async perform({ id, subject, payload }: WorkItem): Promise<WorkResult> {
    const known = await this.cases.logged(subject);
    if (!known) return 'done';
    if (!isOf(this.rail, known)) throw new OfAnotherRail(`case ${subject}`);
    const answer = payload as 'Defence' | 'Decision';
    await (answer === 'Defence' ? this.#defend(known) : this.#close(known));
    await this.commands.execute(new AnswerInfraction(known, answer, id));
    return 'done';
  }

  /** Where this institution decides, a defence is read here, and nobody else is told. */
  async #defend({ partition, infraction }: LocatedCase): Promise<void> {
    if (this.rail.capabilities.decidedBy !== 'Rail' || !infraction.defence) return;
    const defence = await this.vault.open(partition, infraction.defence);
    const text = defence ? [defence.text, ...defence.links].join('\n') : FORGOTTEN;
    await this.rail.sendDefence(infraction.railId, text);
  }

  async #close({ infraction }: LocatedCase): Promise<void> {
    if (this.rail.capabilities.decidedBy !== 'Institution') return;
    const { id, railId, agreed, stateDates } = infraction;
    if (agreed === null && !stateDates.Rejected) throw new Error(`nobody decided about infraction ${id}`);
    await this.rail.close(railId, agreed === null ? { result: 'Rejected' } : { result: 'Agreed', amount: agreed });
  }
}
