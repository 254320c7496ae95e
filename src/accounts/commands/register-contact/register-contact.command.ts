import { Command } from '@nestjs/cqrs';
import type { NewContact } from '../../domain/secure-contact.decider.js';

export class RegisterContact extends Command<string> {
  constructor(
    readonly accountUid: string,
    readonly contact: NewContact,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
