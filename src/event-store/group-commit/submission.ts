import type { RecordedEvent, RequestMark } from '../log/event.js';
import type { Reads } from '../projections/inline-projection.js';
import type { PersonalDataCodec } from '../subjects/personal-data-codec.js';
import type { Append } from './append.js';
import { markOf } from './idempotency.js';

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

export interface Sequence {
  /** One of its commands was answered that it wants rows. */
  isHeldUp: boolean;
}

/** What the commands of one request have in common. */
interface Shared {
  /** By clear names. A subject that is new has one identifier, whichever command names it first. */
  readonly named: Map<string, NamedSubject>;
  /** Made once: the text of the request is as long as all of them. */
  readonly requestMark: RequestMark | undefined;
}

export function submissionOf(append: Append, codec: PersonalDataCodec): Submission {
  return submissionWith(append, sharedBy(append, codec), codec);
}

/** @param appends those of one request, at least one */
export function submissionsOf(appends: readonly Append[], codec: PersonalDataCodec): Submission[] {
  const shared = sharedBy(appends[0]!, codec);
  return appends.map((append) => submissionWith(append, shared, codec));
}

function sharedBy({ requestIdempotency }: Append, codec: PersonalDataCodec): Shared {
  return { named: new Map(), requestMark: requestIdempotency && markOf(requestIdempotency, codec) };
}

function submissionWith(append: Append, { named, requestMark }: Shared, codec: PersonalDataCodec): Submission {
  const subjects = (append.subjects ?? []).map((subject) => {
    const known = named.get(subject.clear);
    if (known) return [subject.clear, known] as const;
    const made = { lookup: codec.lookupOf(subject) };
    named.set(subject.clear, made);
    return [subject.clear, made] as const;
  });
  return {
    append,
    eventIds: [],
    subjects: new Map(subjects),
    mark: append.idempotency && markOf(append.idempotency, codec),
    requestMark,
  };
}

/** Every command by itself, those of which others consist too. */
export function commandsOf(pending: readonly Submission[]): readonly Submission[] {
  return pending.some(({ parts }) => parts) ? pending.flatMap((one) => one.parts ?? [one]) : pending;
}

/** Events that are in the log already. */
export interface ExistingEvents {
  readonly position: bigint;
  readonly events: number;
  /** The key whose row names them; absent where they were found by their identifiers. */
  readonly id?: string;
}

/**
 * Whether events are those of the command that had the key, by its mark in the first of them: a row that somebody made
 * or moved names those of another command.
 */
export function areOfKey(found: readonly (RecordedEvent | undefined)[], { id, events }: ExistingEvents): boolean {
  const { idempotency, requestIdempotency } = found[0]?.metadata ?? {};
  if (id === undefined || requestIdempotency?.id === id) return true;
  return idempotency?.id === id && idempotency.events === events && found.length === events;
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
