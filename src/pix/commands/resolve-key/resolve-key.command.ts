import { Command } from '@nestjs/cqrs';
import type { Party } from '../../domain/events/shared.js';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';

/** What DICT said of a cash-out's key: whose it is, or why it cannot be paid. */
export type KeyResolution = { readonly owner: Party } | { readonly misfit: string };

/** Keeps what DICT said before the rail is asked to pay. */
export class ResolveKey extends Command<void> {
  constructor(
    readonly cashOut: LocatedTransaction,
    readonly resolution: KeyResolution,
  ) {
    super();
  }
}
