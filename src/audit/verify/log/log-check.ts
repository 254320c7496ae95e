import { hashEvent } from '../../../event-store/log/leaf.js';
import { appendLeaf, EMPTY_TREE, packPeaks, rootOf, type TreeState } from '../../../event-store/log/merkle.js';
import type { StoredCheckpoint } from '../../checkpoints/checkpoint-store.js';
import type { ScannedEvent } from '../../log/log-pages.js';
import { type Findings, show } from '../report.js';

/** A partition's head row, as it was when the verification began. */
export interface HeadRow {
  readonly partition: number;
  readonly size: bigint;
  readonly root: Buffer;
  readonly peaks: Buffer;
  readonly time: Date;
}

/** A checkpoint that the log is compared with. */
export type KnownCheckpoint = Pick<StoredCheckpoint, 'size' | 'root'>;

/** The result for a whole log. */
export interface LogResult {
  readonly root: Buffer;
  /** Size of the newest matching checkpoint. */
  readonly sealed: bigint;
  readonly checkpoints: number;
}

/** Positions, times, leaf hashes, roots and checkpoints of one partition, event by event. */
export class LogCheck {
  #tree: TreeState = EMPTY_TREE;
  #position = 0n;
  #time = 0;

  /** @param nextCheckpoint gives the checkpoints in order of their size */
  constructor(
    private readonly head: HeadRow,
    private readonly findings: Findings,
    private readonly nextCheckpoint: () => Promise<KnownCheckpoint | undefined>,
  ) {}

  #checkpoint: KnownCheckpoint | undefined;
  #sealed = 0n;
  #checkpoints = 0;

  async start(): Promise<void> {
    this.#checkpoint = await this.nextCheckpoint();
  }

  /** @returns a promise only if there is something to wait for: most events need none */
  examine(event: ScannedEvent): Promise<void> | undefined {
    const { position } = event;
    if (position !== this.#position + 1n) {
      this.#wrong('positions', this.#position + 1n, 'position', this.#position + 1n, position);
    }
    this.#position = position;
    const time = event.time.getTime();
    if (time < this.#time) this.#wrong('times', position, 'time', `not before ${this.#time}`, time);
    if (!event.timeIsWhole) this.#wrong('times', position, 'time', 'whole milliseconds', 'a fraction of one');
    this.#time = time;
    const leaf = this.#leafOf(event);
    this.#tree = appendLeaf(this.#tree, leaf);
    return this.#checkpoint && this.#checkpoint.size <= this.#tree.size ? this.#compareCheckpoints() : undefined;
  }

  #leafOf(event: ScannedEvent): Buffer {
    const { position } = event;
    try {
      const leaf = hashEvent(event);
      if (!leaf.equals(event.leaf)) this.#wrong('leaf hashes', position, 'leaf', leaf, event.leaf);
      return leaf;
    } catch (error) {
      // Without its constraint, a column may be empty.
      this.#wrong('leaf hashes', position, 'leaf', 'an event that can be hashed', (error as Error).message);
      return event.leaf;
    }
  }

  /** After the last event: compares the head. */
  async finish(): Promise<LogResult> {
    const { size, root, peaks, time } = this.head;
    for (let missing = this.#position + 1n; missing <= size; missing++) {
      this.#wrong('positions', missing, 'position', missing, undefined);
      if (missing > this.#position + 100n) break;
    }
    const found = rootOf(this.#tree);
    if (!found.equals(root)) this.#wrong('roots', size, 'root', found, root);
    if (!packPeaks(this.#tree.peaks).equals(peaks)) {
      this.#wrong('roots', size, 'peaks', packPeaks(this.#tree.peaks), peaks);
    }
    if (size > 0n && this.#time !== time.getTime()) this.#wrong('roots', size, 'time', new Date(this.#time), time);
    while (this.#checkpoint) {
      this.#wrong('checkpoints', size + 1n, 'size', `${this.#checkpoint.size} events, as signed`, `${size} events`);
      this.#checkpoint = await this.nextCheckpoint();
    }
    this.findings.saw('positions, times and leaf hashes', Number(this.#tree.size));
    this.findings.saw('roots');
    this.findings.saw('checkpoints', this.#checkpoints);
    return { root: found, sealed: this.#sealed, checkpoints: this.#checkpoints };
  }

  async #compareCheckpoints(): Promise<void> {
    while (this.#checkpoint && this.#checkpoint.size <= this.#tree.size) await this.#compareCheckpoint();
  }

  async #compareCheckpoint(): Promise<void> {
    const { size, root } = this.#checkpoint!;
    this.#checkpoints += 1;
    const found = rootOf(this.#tree);
    if (this.#tree.size === size && !found.equals(root)) {
      const since = `root ${show(root)}, as signed over events ${this.#sealed + 1n} to ${size}`;
      this.#wrong('checkpoints', size, 'root', since, found);
    } else {
      this.#sealed = size;
    }
    this.#checkpoint = await this.nextCheckpoint();
  }

  #wrong(check: string, position: bigint, field: string, expected: unknown, found: unknown): void {
    this.findings.report({
      check,
      partition: this.head.partition,
      position,
      subject: null,
      field,
      expected: show(expected),
      found: show(found),
    });
  }
}
