import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RareCommands } from '../../../event-store/index.js';
import { decideSettingsChange } from '../../domain/change-partner-settings.decider.js';
import type { PartnerSettings } from '../../domain/partner.events.js';
import { partnerAppend } from '../../partner-append.js';
import { rowOfPartner } from '../../partner.projection.js';
import { ChangePartnerSettings } from './change-partner-settings.command.js';

@CommandHandler(ChangePartnerSettings)
export class ChangePartnerSettingsHandler implements ICommandHandler<ChangePartnerSettings> {
  constructor(private readonly commands: RareCommands) {}

  async execute(command: ChangePartnerSettings): Promise<PartnerSettings> {
    let settings: PartnerSettings | undefined;
    const append = partnerAppend(command, (partner) => {
      settings = { ...partner.settings, ...command.changes };
      return decideSettingsChange(partner, command.changes);
    });
    await this.commands.execute(rowOfPartner(command.partnerUid), append);
    return settings!;
  }
}
