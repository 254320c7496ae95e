import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { FileFormat } from '../../domain/payout-file.events.js';
import type { PayoutFile } from '../../domain/payout-file.js';

export interface AcceptedPayoutFile {
  /** As it was accepted. */
  readonly file: PayoutFile;
  readonly replayed: boolean;
}

/** Reads a file to its end, and accepts it if it has no fault. */
export class AcceptPayoutFile extends Command<AcceptedPayoutFile> {
  constructor(
    readonly caller: Principal,
    readonly format: FileFormat,
    readonly bytes: AsyncIterable<Uint8Array>,
    readonly requestId: string,
    readonly idempotencyKey: string | undefined,
  ) {
    super();
  }
}
