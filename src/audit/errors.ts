import { OperationError } from '../platform/errors/index.js';

/** What stands in the database is not what was appended. Nobody's input can cause it. */
export class HistoryAltered extends Error {
  override readonly name = 'HistoryAltered';

  constructor(
    readonly partition: number,
    readonly position: bigint,
    readonly problem: string,
  ) {
    super(`partition ${partition}, position ${position}: ${problem}`);
  }
}

/** 422: a proof for a tree that the stored nodes do not reach yet; the next checkpoint will cover it. */
export class NotYetCovered extends OperationError {
  constructor(partition: number, size: bigint, covered: bigint) {
    super(
      'TreeNotYetCovered',
      `Proofs of partition ${partition} reach size ${covered} now, not ${size}. Ask for that of a signed checkpoint.`,
      { covered: String(covered) },
    );
  }
}

/** A command of the CLI was misused, or cannot be done; the message is all there is to say. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
