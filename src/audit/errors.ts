import { OperationError } from '../platform/errors/index.js';

/** The database does not hold what was appended. No input can cause this. */
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

/** 422: a proof of a tree that the stored nodes do not cover yet; the next checkpoint will. */
export class NotYetCovered extends OperationError {
  constructor(partition: number, size: bigint, covered: bigint) {
    super(
      'TreeNotYetCovered',
      `Proofs of partition ${partition} reach size ${covered} now, not ${size}. Ask for that of a signed checkpoint.`,
      { covered: String(covered) },
    );
  }
}

/** A CLI command was misused, or cannot be carried out; its message is enough, without a stack. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
