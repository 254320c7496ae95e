import { Command } from '@nestjs/cqrs';
import type { Readable } from 'node:stream';
import type { Preview } from '../../../event-store/index.js';
import type { Principal } from '../../../auth/index.js';
import type { FileFormat } from '../../domain/payout-file.events.js';
import type { PayoutFile } from '../../domain/payout-file.js';

export interface AcceptedPayoutFile {
  /** As it was accepted. */
  readonly file: PayoutFile;
  readonly replayed: boolean;
  /** Of all its lines, by the settings of now; centavos */
  readonly charges: bigint;
}

/** Reads a file to its end, and accepts it if it has no fault. */
export class AcceptPayoutFile extends Command<AcceptedPayoutFile> {
  constructor(
    readonly caller: Principal,
    readonly format: FileFormat,
    readonly body: Readable,
    readonly requestId: string,
    readonly idempotencyKey: string | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
