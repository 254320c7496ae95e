import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { taxpayer } from '../../domain/subjects.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { contactAppend } from '../../contact-append.js';
import { registerContact } from '../../domain/secure-contact.decider.js';
import { SecureContactRegistered } from '../../domain/secure-contact.events.js';
import { Registry } from '../../registry.js';
import { RegisterContact } from './register-contact.command.js';

@CommandHandler(RegisterContact)
export class RegisterContactHandler implements ICommandHandler<RegisterContact> {
  constructor(
    private readonly ledger: Ledger,
    private readonly registry: Registry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async execute(command: RegisterContact): Promise<string> {
    const { accountUid, contact } = command;
    const { partnerUid } = await this.registry.facts(accountUid);
    const person = taxpayer(partnerUid, contact.taxNumber);
    const delayMs = this.config.limitRaiseDelaySeconds * 1000;
    const { events } = await this.ledger.execute(
      contactAppend(command, person, (state, id, at) =>
        registerContact(state, contact, { id, ref: person }, { at, delayMs }),
      ),
    );
    return events.find((event) => SecureContactRegistered.is(event))!.data.person.subject;
  }
}
