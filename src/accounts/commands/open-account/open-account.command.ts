import { Command } from '@nestjs/cqrs';
import type { AccountClass, AccountType } from '../../domain/account.events.js';

export class OpenAccount extends Command<{ uid: string }> {
  constructor(
    readonly partnerUid: string,
    readonly details: {
      readonly name: string;
      /** Normalised CPF or CNPJ. */
      readonly taxNumber: string;
      readonly type?: AccountType;
      readonly class?: AccountClass;
    },
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
