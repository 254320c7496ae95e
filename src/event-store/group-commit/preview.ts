import type { LoadedRows, Reads } from '../projections/inline-projection.js';
import type { Append, Outcome } from './append.js';

/** Shows what a command would do, by the rows after it. @param at when it was decided */
type Show<T> = (rows: LoadedRows, outcome: Outcome, at: Date) => T;

/**
 * Of a dry run: its commands are decided, on one snapshot of the database, and nothing of them is kept. What they
 * would do is read here.
 */
export class Preview<T = unknown> {
  readonly #shown = new Map<string | undefined, T>();

  /**
   * @param owner whose turn it is to read: a partner whose dry runs are many takes no connection from others
   * @param reads rows to show, besides those that a command is decided on
   */
  constructor(
    readonly owner: string,
    readonly reads: Reads,
    private readonly show: Show<T>,
  ) {}

  /** Of the command with this idempotency key, or of one without. */
  of(key: string | undefined): T {
    const shown = this.#shown.get(key);
    if (shown === undefined) throw new TypeError('this command was not decided');
    return shown;
  }

  /** Called by the ledger while the rows are as the command left them. */
  add({ idempotency }: Append, rows: LoadedRows, outcome: Outcome, at: Date): void {
    this.#shown.set(idempotency?.key, this.show(rows, outcome, at));
  }
}
