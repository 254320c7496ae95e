import { OperationError, ServiceUnavailable, ValidationError } from '../../platform/errors/index.js';

export class TransitionNotAllowed extends OperationError {
  constructor(from: string, to: string) {
    super('TransitionNotAllowed', `A file that is ${from} cannot become ${to}.`, { state: from, from, to });
  }
}

/** The partner has as many files under way as it may have. */
export class TooManyPayoutFiles extends OperationError {
  constructor(maximum: number) {
    super('TooManyPayoutFiles', `At most ${maximum} files of an account run at a time.`, { maximum });
  }
}

/** A line whose file was cancelled while it waited: nobody is answered with it. */
export class PayoutFileIsCancelled extends TransitionNotAllowed {
  constructor() {
    super('Cancelled', 'Running');
  }
}

/**
 * Lines of which it was recorded what became of them while they waited to be requested: a refused one is told as such.
 */
export class LinesAreRecorded extends ServiceUnavailable {
  constructor() {
    super('What became of the lines is recorded already. Nothing was done.');
  }
}

/** A fault of a file. Lines count from 1, the header of a CSV included. */
export interface FileFault {
  /** `null`: of the file as a whole. */
  readonly line: number | null;
  /** The column of a CSV, the member of a JSON line; `null`: of the line as a whole. */
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
  readonly info?: Record<string, unknown>;
}

/** 400: the file has faults, and nothing of it was done. Not all of them may be listed; they are all counted. */
export class PayoutFileHasFaults extends ValidationError {
  constructor(
    faults: readonly FileFault[],
    private readonly total: number,
  ) {
    super(
      faults.map(({ line, column, code, message, info }) => ({
        path: column ?? '',
        code,
        message: line === null ? message : `line ${line}: ${message}`,
        info: { line, column, ...info },
      })),
      `The file has ${total === 1 ? 'a fault' : `${total} faults`}. Nothing of it was done.`,
    );
  }

  override body() {
    const { error, ...body } = super.body();
    return { ...body, error: { ...error, faults: this.total } };
  }
}
