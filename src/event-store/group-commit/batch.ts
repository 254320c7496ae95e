import type { Append, Outcome } from './append.js';
import { type EventMetadata, type NewEvent, type RecordedEvent, eventType } from '../log/event.js';
import { assertSameRequest, type IdempotencyRow, idempotencyProjection } from './idempotency.js';
import { newId } from '../log/identifiers.js';
import { type InlineProjection, type LoadedRows, type RowChanges } from '../projections/inline-projection.js';
import { type EventRow, hashEvent } from '../log/leaf.js';
import { appendLeaf, type TreeState } from '../log/merkle.js';
import { Personal, type Sealed, type SubjectRef } from '../log/personal.js';
import { type PersonalDataCodec, type SubjectKey } from '../subjects/personal-data-codec.js';

/** A partition's head row: the log's size, its Merkle tree and the time of its last event. */
export interface Head {
  readonly tree: TreeState;
  readonly time: Date;
  /** Counts rebuilds that corrected rows, and batches that were fenced off: a change invalidates cached rows. */
  readonly corrections: number;
}

/** A command in the lane: identifiers are minted once, so that every attempt appends the same ones. */
export interface Submission {
  readonly append: Append;
  readonly eventIds: string[];
  readonly subjects: ReadonlyMap<string, { readonly lookup: Buffer; readonly newKeyId: string }>;
  /** Idempotency mark without its count, where the command has a key. */
  readonly mark: { readonly id: string; readonly request: string } | undefined;
  /** Size of the log at the first attempt that may have committed. */
  attemptedAt?: bigint;
}

/** Events that are in the log already. */
export interface ExistingEvents {
  readonly position: bigint;
  readonly events: number;
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

export type Decision =
  | { readonly kind: 'appended'; readonly outcome: Outcome }
  | { readonly kind: 'refused'; readonly error: unknown }
  /** Appended by an earlier attempt of this command, or by another command with its key (`replayed`). */
  | ({ readonly kind: 'existing'; readonly replayed: boolean } & ExistingEvents);

/** Rows by key after a batch: those that it updated, and those that it inserted. */
interface Changed {
  readonly inserted: Map<string, unknown>;
  readonly updated: Map<string, unknown>;
}

/** A row's change by a command that may still be refused. */
interface Change {
  readonly projection: InlineProjection;
  readonly key: string;
  readonly row: unknown;
  readonly isNew: boolean;
}

/**
 * One batch being decided, in memory: each command sees the effects of those before it, and a refusal
 * leaves nothing behind.
 */
export class Batch {
  readonly appended: Appended[] = [];
  readonly newSubjectKeys: SubjectKey[] = [];
  readonly #changed = new Map<InlineProjection, Changed>();
  readonly #keyBytes = new Map<string, Buffer>();
  #tree: TreeState;

  /** @param at time of the batch: not before the head's */
  constructor(
    private readonly projections: readonly InlineProjection[],
    private readonly codec: PersonalDataCodec,
    private readonly partition: number,
    readonly head: Head,
    private readonly read: BatchRows,
    readonly at: Date,
  ) {
    this.#tree = head.tree;
  }

  get tree(): TreeState {
    return this.#tree;
  }

  decide(submission: Submission): Decision {
    try {
      const own = this.read.existing.get(submission.eventIds[0]!);
      if (own) return { kind: 'existing', replayed: false, ...own };
      const earlier = this.#earlier(submission);
      if (earlier) return { kind: 'existing', replayed: true, position: earlier.position, events: earlier.events };
      return { kind: 'appended', outcome: { events: this.#append(submission), replayed: false } };
    } catch (error) {
      return { kind: 'refused', error };
    }
  }

  /** Rows by key after the batch, of every projection that it changes. */
  *changed(): Generator<readonly [InlineProjection, ReadonlyMap<string, unknown>]> {
    for (const [projection, { inserted, updated }] of this.#changed) {
      if (inserted.size > 0) yield [projection, inserted];
      if (updated.size > 0) yield [projection, updated];
    }
  }

  /** @returns `undefined` where it changes none */
  changesOf<Row>(projection: InlineProjection<Row>): RowChanges<Row> | undefined {
    const changed = this.#changed.get(projection);
    return (
      changed && { inserted: [...changed.inserted.values()] as Row[], updated: [...changed.updated.values()] as Row[] }
    );
  }

  #earlier({ mark }: Submission): IdempotencyRow | undefined {
    if (!mark) return undefined;
    const earlier = this.read.rows.of(idempotencyProjection).get(mark.id);
    if (earlier) assertSameRequest(earlier, mark);
    return earlier;
  }

  #append(submission: Submission): RecordedEvent[] {
    const { append } = submission;
    const decided = append.decide(this.read.rows, this.at, {
      subject: (ref) => this.#subjectOf(ref, submission).id,
      isRead: (name, key) => append.reads[name]?.includes(key) ?? false,
    });
    const created = this.#withWhatFollows(decided);
    const asked = (name: string, key: string) =>
      append.reads[name]?.includes(key) || append.creates?.[name]?.includes(key) || submission.mark?.id === key;
    const loaded = (name: string, key: string) => asked(name, key) || this.read.rows.of(name).has(key);

    let tree = this.#tree;
    const appended: Appended[] = [];
    const newKeys: SubjectKey[] = [];
    const changes: Change[] = [];
    const recorded = created.map((event, i) => {
      const metadata: EventMetadata =
        i === 0 && submission.mark
          ? { ...append.metadata, idempotency: { ...submission.mark, events: created.length } }
          : append.metadata;
      const row = this.#record(event, tree.size + 1n, submission, i, newKeys, metadata);
      const leaf = hashEvent(row.stored);
      tree = appendLeaf(tree, leaf);
      appended.push({ event: row.event, row: row.stored, leaf });
      this.#evolve(row.event, changes, i < decided.length ? asked : loaded);
      return row.event;
    });

    this.#tree = tree;
    this.appended.push(...appended);
    for (const key of newKeys) {
      this.newSubjectKeys.push(key);
      this.read.subjectKeys.set(key.lookup.toString('hex'), key);
    }
    for (const change of changes) this.#keep(change);
    return recorded;
  }

  #withWhatFollows(made: readonly NewEvent[]): readonly NewEvent[] {
    if (made.length === 0) return made;
    let all = made;
    for (const { follows } of this.projections) {
      const followed = follows?.(made, this.read.rows, this.at);
      if (followed && followed.length > 0) all = [...all, ...followed];
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
    const data = this.#seal(event.data as Record<string, unknown>, submission, newKeys);
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

  #seal(data: Record<string, unknown>, submission: Submission, newKeys: SubjectKey[]): Record<string, unknown> {
    let sealed: Record<string, unknown> | undefined;
    for (const member in data) {
      const value = data[member];
      if (value instanceof Personal) {
        sealed ??= { ...data };
        sealed[member] = this.#sealOne(value, submission, newKeys);
      }
    }
    return sealed ?? data;
  }

  #sealOne(value: Personal<unknown>, submission: Submission, newKeys: SubjectKey[]): Sealed {
    const { id, lookup, known } = this.#subjectOf(value.subject, submission);
    let key = known ?? newKeys.find((candidate) => candidate.id === id);
    if (!key) {
      key = this.codec.newSubjectKey(id, lookup);
      newKeys.push(key);
    }
    let bytes = this.#keyBytes.get(key.id);
    if (!bytes) {
      bytes = this.codec.unwrap(key);
      this.#keyBytes.set(key.id, bytes);
    }
    return this.codec.seal(key.id, bytes, value.value);
  }

  /** A subject that the command announced, with its key where that exists. */
  #subjectOf(ref: SubjectRef, { subjects }: Submission): { id: string; lookup: Buffer; known: SubjectKey | undefined } {
    const subject = subjects.get(ref.clear);
    if (!subject) throw new TypeError('an event names a subject that its command did not announce');
    const { lookup, newKeyId } = subject;
    const known = this.read.subjectKeys.get(lookup.toString('hex'));
    return { id: known?.id ?? newKeyId, lookup, known };
  }

  /** @param changes of the command's earlier events; this event's are added */
  #evolve(event: RecordedEvent, changes: Change[], asked: (name: string, key: string) => boolean | undefined): void {
    for (const projection of this.projections) {
      for (const key of projection.keysOf(event)) {
        if (!asked(projection.name, key)) {
          throw new TypeError(`${event.type} changes a row of ${projection.name} that its command did not read`);
        }
        const earlier = changes.findLast((change) => change.key === key && change.projection === projection);
        const row = earlier ? earlier.row : this.read.rows.of(projection).get(key);
        const isNew = earlier
          ? earlier.isNew
          : row === undefined || this.#changed.get(projection)?.inserted.has(key) === true;
        changes.push({ projection, key, row: projection.evolve(row, event, key), isNew });
      }
    }
  }

  #keep({ projection, key, row, isNew }: Change): void {
    this.read.rows.of(projection).set(key, row);
    let changed = this.#changed.get(projection);
    if (!changed) this.#changed.set(projection, (changed = { inserted: new Map(), updated: new Map() }));
    changed[isNew ? 'inserted' : 'updated'].set(key, row);
  }
}
