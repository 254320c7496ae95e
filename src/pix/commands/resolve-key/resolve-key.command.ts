import { Command } from '@nestjs/cqrs';
import type { Party } from '../../domain/events/shared.js';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';

/** DICT's answer for a cash-out's key: its owner, or why it cannot be paid. */
export type KeyResolution = { readonly owner: Party } | { readonly misfit: string };

/** Records DICT's answer before the payment is sent. */
export class ResolveKey extends Command<void> {
  constructor(
    readonly cashOut: LocatedTransaction,
    readonly resolution: KeyResolution,
  ) {
    super();
  }
}
