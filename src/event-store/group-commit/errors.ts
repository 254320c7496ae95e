import { AppError, InternalError } from '../../platform/errors/index.js';
import type { Reads } from '../projections/inline-projection.js';

/** A command that is one of several which are appended together or not at all was refused: none was appended. */
export class PartRefused extends InternalError {
  constructor(
    /** Its place among them, from 0. */
    readonly index: number,
    readonly refusal: AppError,
    /** Where it wants rows: those that each one behind it would want, as far as that is known. */
    readonly wantedBehind: readonly Reads[],
  ) {
    super();
  }
}

/** A row with the same unique key exists already. Nothing was done. */
export class DuplicateRow extends InternalError {}

/** What a caller is told. */
export function asAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new UnexpectedFault(error);
}

/** A decider or projection failed for a reason that is not in the input: a defect. The caller gets no details. */
export class UnexpectedFault extends InternalError {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super();
    this.cause = cause;
  }
}
