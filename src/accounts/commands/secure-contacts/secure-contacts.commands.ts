import { Command } from '@nestjs/cqrs';
import type { AskedAmounts } from '../../domain/limit-terms.js';
import type { NewContact } from '../../domain/secure-contact.decider.js';

/** @returns the contact's id */
export class RegisterContact extends Command<string> {
  constructor(
    readonly accountUid: string,
    readonly contact: NewContact,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}

export class ChangeContact extends Command<void> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
    /** Those that are absent stay as they are. */
    readonly asked: AskedAmounts,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}

export class RemoveContact extends Command<void> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
