import type { RequestMark } from '../log/event.js';
import type { Reads } from '../projections/inline-projection.js';
import type { Append } from './append.js';

/** A command in the lane: identifiers are minted once, so that every attempt appends the same ones. */
export interface Submission {
  readonly append: Append;
  readonly eventIds: string[];
  readonly subjects: ReadonlyMap<string, NamedSubject>;
  /** Idempotency mark without its count, where the command has a key. */
  readonly mark: RequestMark | undefined;
  /** The same of the request that has this command among others. */
  readonly requestMark?: RequestMark;
  /** Commands that are decided one after another: those behind one that wants rows wait for it. */
  readonly sequence?: Sequence;
  /** The commands of which this one consists: they are appended in one commit, or none of them. */
  readonly parts?: readonly Submission[];
  /** Size of the log at the first attempt that may have committed. */
  attemptedAt?: bigint;
}

/** A subject that a command names: how its key is found, and the identifier that its key gets if it has none yet. */
export interface NamedSubject {
  readonly lookup: Buffer;
  newKeyId?: string;
}

/** Subjects by their clear names. */
export type Subjects = Map<string, NamedSubject>;

export interface Sequence {
  /** One of its commands was answered that it wants rows. */
  isHeldUp: boolean;
}

/** Every command by itself, those of which others consist too. */
export function commandsOf(pending: readonly Submission[]): readonly Submission[] {
  return pending.some(({ parts }) => parts) ? pending.flatMap((one) => one.parts ?? [one]) : pending;
}

/** Events that are in the log already. */
export interface ExistingEvents {
  readonly position: bigint;
  readonly events: number;
}

/**
 * The same command, to be decided with these rows too: a new subject keeps the id that rows were asked for by.
 * @throws TypeError when those rows were read already: they are not there
 */
export function readingMore(submission: Submission, more: Reads): Submission {
  const reading = readingAlso(submission, more);
  if (reading === submission) throw new TypeError(`rows are missing: ${JSON.stringify(more)}`);
  return reading;
}

/** The same; the submission itself where it reads all of them already. */
export function readingAlso(submission: Submission, more: Reads): Submission {
  const { append } = submission;
  const reads: Record<string, readonly string[]> = { ...append.reads };
  let isMore = false;
  for (const [name, keys] of Object.entries(more)) {
    const before = reads[name] ?? [];
    const added = keys.filter((key) => !before.includes(key));
    isMore ||= added.length > 0;
    reads[name] = [...before, ...added];
  }
  return isMore ? { ...submission, append: { ...append, reads } } : submission;
}
