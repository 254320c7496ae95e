import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RareCommands } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { decideDefaultLimits } from '../../domain/set-payout-limits.decider.js';
import { partnerAppend } from '../../partner-append.js';
import { rowOfPartner } from '../../partner.projection.js';
import { SetDefaultLimits } from './set-default-limits.command.js';

@CommandHandler(SetDefaultLimits)
export class SetDefaultLimitsHandler implements ICommandHandler<SetDefaultLimits> {
  constructor(
    private readonly commands: RareCommands,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute(command: SetDefaultLimits): Promise<void> {
    const delayMs = this.config.limitRaiseDelaySeconds * 1000;
    const append = partnerAppend(command, (partner, at) =>
      decideDefaultLimits(partner, command.asked, { at, delayMs }),
    );
    await this.commands.execute(rowOfPartner(command.partnerUid), append);
  }
}
