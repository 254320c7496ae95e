import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { contactAppend } from '../../contact-append.js';
import { removeContact } from '../../domain/secure-contact.decider.js';
import { Registry } from '../../registry.js';
import { RemoveContact } from './remove-contact.command.js';

@CommandHandler(RemoveContact)
export class RemoveContactHandler implements ICommandHandler<RemoveContact> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
  ) {}

  async execute(command: RemoveContact): Promise<void> {
    await this.registry.facts(command.accountUid);
    await this.ledger.execute(contactAppend(command, command.id, removeContact));
  }
}
