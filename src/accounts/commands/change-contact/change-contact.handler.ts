import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RareCommands } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { contactAppend } from '../../contact-append.js';
import { contactProjection } from '../../contact.projection.js';
import { contactKey } from '../../domain/secure-contact.js';
import { changeContact } from '../../domain/secure-contact.decider.js';
import { Registry } from '../../registry.js';
import { ChangeContact } from './change-contact.command.js';

@CommandHandler(ChangeContact)
export class ChangeContactHandler implements ICommandHandler<ChangeContact> {
  constructor(
    private readonly commands: RareCommands,
    private readonly registry: Registry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute(command: ChangeContact): Promise<void> {
    const { accountUid, id, asked } = command;
    await this.registry.facts(accountUid);
    const delayMs = this.config.limitRaiseDelaySeconds * 1000;
    await this.commands.execute(
      { projection: contactProjection, key: contactKey(accountUid, id), stream: `account-${accountUid}` },
      contactAppend(command, id, (state, _id, at) => changeContact(state, id, asked, { at, delayMs })),
    );
  }
}
