import { appendLeaf, EMPTY_TREE, hashEvent, rootOf, type TreeState } from '../../event-store/index.js';
import { cosignedAt, type WitnessKey } from '../checkpoints/cosignature.js';
import { type Checkpoint, isSignedBy, type NoteVerifier, parseCheckpoint, parseVerifier } from '../checkpoints/note.js';
import { type EventLine, toEventRow } from '../log/event-line.js';
import { provesInclusion } from '../tree/verify-proof.js';
import { type CheckpointLine, EXPORT_FORMAT, type ExportLine } from './export-format.js';
import { EventSemantics } from './event-semantics.js';
import { KnownNotes } from './known-notes.js';
import { parseStrictly } from './strict-line.js';

/** The result for a file: every problem with its line. */
export interface ImportReport {
  readonly ok: boolean;
  readonly events: number;
  readonly partitions: number;
  readonly problems: readonly string[];
  /** Logs that may lack events: exported in part, or absent although their key was given. */
  readonly incomplete: readonly string[];
  /** No keys were given: the signatures were checked with those in the file itself. */
  readonly keysFromFile: boolean;
}

interface OpenPartition {
  readonly checkpoint: Checkpoint;
  readonly complete: boolean;
  tree: TreeState;
  position: bigint;
}

const MOST_PROBLEMS = 100;
/** Two files must not be read as one: of bytes that are no UTF-8 another decoder makes U+FFFD. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Verifies an export, line by line, with nothing but the file and the keys that signed it. */
export class ImportVerifier {
  readonly #problems: string[] = [];
  #line = 0;
  #events = 0;
  #partitions = 0;
  readonly #complete = new Set<string>();
  readonly #partial = new Set<string>();
  #current: OpenPartition | undefined;
  #state: 'start' | 'open' | 'ended' = 'start';

  readonly #semantics = new EventSemantics();
  readonly #known: KnownNotes;

  /**
   * @param keys that may have signed; none: those in the file, which proves less
   * @param notes checkpoints from other sources, signed by one of the keys
   * @param witnesses each of whom must have cosigned every checkpoint
   * @throws MalformedNote. @throws NotSigned
   */
  constructor(
    private readonly keys: readonly NoteVerifier[],
    notes: readonly string[] = [],
    private readonly witnesses: readonly WitnessKey[] = [],
  ) {
    this.#known = new KnownNotes(notes, keys);
  }

  /** @param line without its line feed */
  take(line: string | Uint8Array): void {
    this.#line += 1;
    try {
      this.#take(parseStrictly(typeof line === 'string' ? line : UTF_8.decode(line)));
    } catch (error) {
      // Any failure is a problem of the file.
      this.#problem(`cannot be read: ${(error as Error).message}`);
    }
  }

  finish(): ImportReport {
    if (this.#state !== 'ended') this.#problem('the file has no end: something was cut off');
    this.#known.unused().forEach((problem) => this.#problem(problem));
    return {
      ok: this.#problems.length === 0,
      events: this.#events,
      partitions: this.#partitions,
      problems: this.#problems,
      incomplete: [...new Set([...this.#partial, ...this.keys.map(({ name }) => name)])].filter(
        (origin) => !this.#complete.has(origin),
      ),
      keysFromFile: this.keys.length === 0,
    };
  }

  #take(line: ExportLine): void {
    if (this.#state === 'ended') return this.#problem('there is more after the end');
    if ((this.#state === 'start') !== (line.kind === 'header')) return this.#problem('this line is out of place');
    switch (line.kind) {
      case 'header':
        this.#state = 'open';
        if ((line.format as string) !== EXPORT_FORMAT) this.#problem(`the format is not ${EXPORT_FORMAT}`);
        return;
      case 'checkpoint':
        this.#close();
        return this.#open(line);
      case 'event':
        return this.#event(line);
      case 'end':
        this.#close();
        this.#state = 'ended';
        if (line.events !== this.#events) this.#problem(`${this.#events} events, where the end counts ${line.events}`);
    }
  }

  #open({ note, vkey, complete, partition }: CheckpointLine): void {
    this.#partitions += 1;
    const checkpoint = parseCheckpoint(note);
    const keys = this.keys.length > 0 ? this.keys : [parseVerifier(vkey)];
    if (!keys.some((key) => key.name === checkpoint.origin && isSignedBy(note, key))) {
      this.#problem(`the checkpoint of partition ${partition} has no good signature`);
    }
    for (const witness of this.witnesses) {
      if (!cosignedAt(note, witness)) this.#problem(`${witness.name} has not cosigned the checkpoint of ${partition}`);
    }
    if (!checkpoint.origin.endsWith(`/partition-${partition}`)) {
      this.#problem(`the checkpoint is one of ${checkpoint.origin}, not of partition ${partition}`);
    }
    if (this.#complete.has(checkpoint.origin) || this.#partial.has(checkpoint.origin)) {
      this.#problem(`partition ${partition} is given twice`);
    }
    (complete ? this.#complete : this.#partial).add(checkpoint.origin);
    this.#known.problemsOf(checkpoint, complete).forEach((problem) => this.#problem(problem));
    this.#semantics.begin(complete);
    this.#current = { checkpoint, complete, tree: EMPTY_TREE, position: 0n };
  }

  #event(line: EventLine): void {
    this.#events += 1;
    const { partition, position } = line;
    const current = this.#current;
    if (!current?.checkpoint.origin.endsWith(`/partition-${partition}`)) {
      return this.#problem(`an event of partition ${partition} without its checkpoint`);
    }
    const row = toEventRow(line);
    const inOrder = current.complete ? row.position === current.position + 1n : row.position > current.position;
    if (!inOrder) this.#problem(`partition ${partition}: position ${position} after ${current.position}`);
    current.position = row.position;
    for (const problem of this.#semantics.problemsOf(line)) {
      this.#problem(`partition ${partition}, position ${position}: ${problem}`);
    }
    const leaf = hashEvent(row);
    if (current.complete) {
      if (line.proof) this.#problem(`partition ${partition}, position ${position}: a proof where none belongs`);
      current.tree = appendLeaf(current.tree, leaf);
      this.#known.problemsAt(current.checkpoint.origin, current.tree).forEach((problem) => this.#problem(problem));
      return;
    }
    const { size, root } = current.checkpoint;
    const proof = (line.proof ?? []).map((hash) => Buffer.from(hash, 'base64'));
    if (!provesInclusion(leaf, row.position - 1n, size, proof, root)) {
      this.#problem(`partition ${partition}, position ${position}: the event is not the one that was signed`);
    }
  }

  #close(): void {
    const current = this.#current;
    if (current?.complete) {
      const { size, root, origin } = current.checkpoint;
      if (current.tree.size !== size) this.#problem(`${origin}: ${current.tree.size} events of ${size}`);
      else if (!rootOf(current.tree).equals(root))
        this.#problem(`${origin}: the events are not those that were signed`);
    }
    this.#current = undefined;
  }

  #problem(problem: string): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(`line ${this.#line}: ${problem}`);
  }
}
