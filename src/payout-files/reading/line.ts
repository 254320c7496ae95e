import type { FileFault } from '../domain/errors.js';

/** A line as it was written: what it asks for, in the members of the single route's body, or why it cannot be read. */
export interface WrittenLine {
  /** From 1, a header included. */
  readonly line: number;
  readonly body?: object;
  readonly fault?: Omit<FileFault, 'line'>;
}

/** A format of files: reads lines, and names columns. */
export interface LineReader {
  /** Ends after a fault that leaves the rest unreadable. */
  read(pieces: AsyncIterable<string>): AsyncIterable<WrittenLine>;
  /** The column of a member of the body, as the partner knows it. */
  columnOf(path: string): string | null;
}
