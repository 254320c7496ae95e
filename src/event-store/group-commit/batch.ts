import type { DecideContext } from './append.js';
import { BatchSubjects } from './batch-subjects.js';
import { ChangedRows, type ChangesOfCommand, type MayChange } from './changed-rows.js';
import { type Decision, wantsRows } from './decision.js';
import { asAppError, PartRefused } from './errors.js';
import { type EventMetadata, eventType, type NewEvent, type RecordedEvent, type RequestMark } from '../log/event.js';
import {
  assertSameRequest,
  type IdempotencyRow,
  idempotencyProjection,
  isSameRequest,
  RequestKeyReused,
} from './idempotency.js';
import { newId } from '../log/identifiers.js';
import { type InlineProjection, type LoadedRows, RowsWanted } from '../projections/inline-projection.js';
import { type EventRow, hashEvent } from '../log/leaf.js';
import { appendLeaf, type TreeState } from '../log/merkle.js';
import type { PersonalDataCodec, SubjectKey } from '../subjects/personal-data-codec.js';
import type { ExistingEvents, Sequence, Submission } from './submission.js';
import { UndoLog } from './undo-log.js';

/** It is not decided: one before it wants rows. */
const WANTS_NONE = new RowsWanted({});

/** A partition's head row: the log's size, its Merkle tree and the time of its last event. */
export interface Head {
  readonly tree: TreeState;
  readonly time: Date;
  /** Counts rebuilds that corrected rows, and batches that were fenced off: a change invalidates cached rows. */
  readonly corrections: number;
}

/** What was read for a batch. */
export interface BatchRows {
  readonly rows: LoadedRows;
  /** Existing keys, by look-up (hex). */
  readonly subjectKeys: Map<string, SubjectKey>;
  /** Events that earlier attempts did append, by the identifier of the first. */
  readonly existing: ReadonlyMap<string, ExistingEvents>;
}

/** An event with its hash, ready to be inserted. */
export interface Appended {
  readonly event: RecordedEvent;
  readonly row: EventRow;
  readonly leaf: Buffer;
}

/**
 * One batch being decided, in memory: each command sees the effects of those before it, and a refusal
 * leaves nothing behind.
 */
export class Batch {
  readonly appended: Appended[] = [];
  readonly subjects: BatchSubjects;
  readonly changed: ChangedRows;
  /** Of the parts of a command that consists of them, while it is decided. */
  readonly #undo = new UndoLog();
  #tree: TreeState;

  /** @param at time of the batch: not before the head's */
  constructor(
    private readonly projections: readonly InlineProjection[],
    codec: PersonalDataCodec,
    private readonly partition: number,
    readonly head: Head,
    private readonly read: BatchRows,
    readonly at: Date,
  ) {
    this.#tree = head.tree;
    this.subjects = new BatchSubjects(codec, partition, read.subjectKeys);
    this.changed = new ChangedRows(projections, read.rows, this.#undo);
  }

  get tree(): TreeState {
    return this.#tree;
  }

  /** Decides commands in their order. */
  decideAll(pending: readonly Submission[]): Decision[] {
    let heldUp: Set<Sequence> | undefined;
    return pending.map((submission) => {
      const { sequence } = submission;
      if (sequence && (sequence.isHeldUp || heldUp?.has(sequence))) {
        return { kind: 'refused', error: this.#waiting(submission) };
      }
      const decision = this.decide(submission);
      if (sequence && wantsRows(decision)) (heldUp ??= new Set()).add(sequence);
      return decision;
    });
  }

  /**
   * A command behind one that wants rows. It is asked what it would want itself, as far as that is known by now: so
   * those of a request are decided again a few times, not once for each of them.
   */
  #waiting(submission: Submission): RowsWanted {
    try {
      submission.append.decide(this.read.rows, this.at, this.#context(submission));
    } catch (error) {
      if (error instanceof RowsWanted) return error;
    }
    return WANTS_NONE;
  }

  #context(submission: Submission): DecideContext {
    const { reads } = submission.append;
    return {
      subject: (ref) => this.subjects.idOf(ref, submission),
      isRead: (name, key) => reads[name]?.includes(key) ?? false,
    };
  }

  decide(submission: Submission): Decision {
    return submission.parts ? this.#decideTogether(submission.parts) : this.#decideOne(submission);
  }

  #decideTogether(parts: readonly Submission[]): Decision {
    this.#undo.begin();
    const decisions: Decision[] = [];
    try {
      for (const part of parts) {
        const decision = this.#decideOne(part);
        if (decision.kind === 'refused') {
          const behind = wantsRows(decision) ? parts.slice(decisions.length + 1) : [];
          const wanted = behind.map((waiting) => this.#waiting(waiting).reads);
          this.#undo.rollBack();
          return { kind: 'refused', error: new PartRefused(decisions.length, asAppError(decision.error), wanted) };
        }
        decisions.push(decision);
      }
      return { kind: 'together', decisions };
    } finally {
      this.#undo.end();
    }
  }

  #decideOne(submission: Submission): Decision {
    try {
      const own = this.read.existing.get(submission.eventIds[0]!);
      if (own) return { kind: 'existing', replayed: false, ...own };
      const earlier = this.#earlier(submission);
      if (earlier) return { kind: 'existing', replayed: true, ...earlier };
      return { kind: 'appended', outcome: { events: this.#append(submission), replayed: false } };
    } catch (error) {
      return { kind: 'refused', error };
    }
  }

  #earlier({ append, mark, requestMark }: Submission): IdempotencyRow | undefined {
    const keys = this.read.rows.of(idempotencyProjection);
    const ofRequest = requestMark && keys.get(requestMark.id);
    if (ofRequest && !isSameRequest(ofRequest, requestMark, append.requestIdempotency!)) throw new RequestKeyReused();
    if (!mark) return undefined;
    const earlier = keys.get(mark.id);
    if (earlier) assertSameRequest(earlier, mark, append.idempotency!);
    return earlier;
  }

  #append(submission: Submission): RecordedEvent[] {
    const { append } = submission;
    const decided = append.decide(this.read.rows, this.at, this.#context(submission));
    const created = this.#withConsequences(decided);
    const { mark } = submission;
    const requestMark = this.#newMark(submission.requestMark);
    const isNamed: MayChange = (name, key) =>
      append.reads[name]?.includes(key) ||
      append.creates?.[name]?.includes(key) ||
      mark?.id === key ||
      requestMark?.id === key;
    const isLoaded: MayChange = (name, key) => isNamed(name, key) || this.read.rows.of(name).has(key);

    let tree = this.#tree;
    const appended: Appended[] = [];
    const newKeys: SubjectKey[] = [];
    const changes: ChangesOfCommand = new Map();
    const recorded = created.map((event, i) => {
      const metadata: EventMetadata =
        i === 0 && (mark || requestMark)
          ? {
              ...append.metadata,
              ...(mark && { idempotency: { ...mark, events: created.length } }),
              ...(requestMark && { requestIdempotency: requestMark }),
            }
          : append.metadata;
      const row = this.#record(event, tree.size + 1n, submission, i, newKeys, metadata);
      const leaf = hashEvent(row.stored);
      tree = appendLeaf(tree, leaf);
      appended.push({ event: row.event, row: row.stored, leaf });
      this.changed.evolve(row.event, changes, i < decided.length ? isNamed : isLoaded);
      return row.event;
    });

    this.#keepAll(tree, appended, newKeys, changes);
    return recorded;
  }

  /** The key of its request, unless an event carries it already. */
  #newMark(mark: RequestMark | undefined): RequestMark | undefined {
    return mark && !this.read.rows.of(idempotencyProjection).has(mark.id) ? mark : undefined;
  }

  #keepAll(tree: TreeState, appended: Appended[], newKeys: readonly SubjectKey[], changes: ChangesOfCommand): void {
    const [before, length] = [this.#tree, this.appended.length];
    this.#undo.add(() => {
      this.#tree = before;
      this.appended.length = length;
    });
    this.#tree = tree;
    this.appended.push(...appended);
    for (const key of newKeys) {
      this.subjects.keep(key);
      this.#undo.add(() => this.subjects.takeBack(key));
    }
    for (const change of changes.values()) this.changed.keep(change);
  }

  #withConsequences(made: readonly NewEvent[]): readonly NewEvent[] {
    if (made.length === 0) return made;
    let all = made;
    for (const { consequences } of this.projections) {
      const more = consequences?.(made, this.read.rows, this.at);
      if (more && more.length > 0) all = [...all, ...more];
    }
    return all;
  }

  #record(
    event: NewEvent,
    position: bigint,
    submission: Submission,
    index: number,
    newKeys: SubjectKey[],
    metadata: EventMetadata,
  ): { stored: EventRow; event: RecordedEvent } {
    const data = this.subjects.seal(event.data as Record<string, unknown>, submission, newKeys);
    const id = (submission.eventIds[index] ??= newId(this.partition));
    const base = { partition: this.partition, position, id, stream: event.stream, version: event.version };
    const stored: EventRow = {
      ...base,
      type: event.type,
      schemaVersion: eventType(event.type).schemaVersion,
      time: this.at,
      data: JSON.stringify(data),
      metadata: JSON.stringify(metadata),
    };
    return { stored, event: { ...base, type: event.type, time: this.at, data, metadata } };
  }
}
