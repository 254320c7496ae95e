import type { LaneOptions } from '../options.js';

/** Requests of many wait for their turns, and so for longer than single commands before that tells of a stuck lane. */
const PATIENCE_OF_MANY = 4;

/** A command in the queue. */
export interface Queued {
  /** Of the monotonic clock, like every time that is compared here: the wall clock may jump. */
  readonly deadline: number;
  /** Present if it consists of several. */
  readonly parts?: readonly unknown[];
}

/**
 * The commands that wait in a lane, in two lines: single ones in their order; those of requests of many by owner, who
 * take turns. Where both wait, single commands have half of a batch, so that a request of hundreds delays one by the
 * batch that is being written and no more. Of the room for requests of many an owner has a share: the more of them
 * wait, the smaller.
 */
export class LaneQueue<C extends Queued> {
  readonly #single: C[] = [];
  /** In the order of their turns. */
  readonly #many = new Map<string, C[]>();

  constructor(private readonly options: LaneOptions) {}

  /** Commands, each part by itself. */
  get length(): number {
    let commands = this.#single.length;
    for (const line of this.#many.values()) commands += weightOf(line);
    return commands;
  }

  get isEmpty(): boolean {
    return this.#single.length === 0 && this.#many.size === 0;
  }

  push(command: C): void {
    this.#single.push(command);
  }

  pushAll(owner: string, commands: readonly C[]): void {
    const line = this.#many.get(owner);
    if (line) line.push(...commands);
    else this.#many.set(owner, [...commands]);
  }

  /**
   * The commands of the next batch.
   * @param most of requests of many
   */
  take(most: number): { readonly single: C[]; readonly many: C[] } {
    const { batchSize } = this.options;
    if (this.#many.size === 0) return { single: this.#single.splice(0, batchSize), many: [] };
    const single = this.#single.splice(0, Math.ceil(batchSize / 2));
    const room = single.length === 0 ? most : Math.min(most, batchSize - single.length);
    return { single, many: this.#takeTurns(Math.max(1, room)) };
  }

  /**
   * By length, and by time: with a slow database a short queue is a long wait already. One batch may always gather,
   * unless its oldest command shows that the lane is stuck.
   * @param batchMs what a batch takes
   */
  isTooLong(now: number, batchMs: number): boolean {
    if (this.#isStuck(this.#single, now)) return true;
    const { batchSize, queueSize, maxQueueWait } = this.options;
    const room = this.#many.size === 0 ? batchSize : Math.ceil(batchSize / 2);
    const waiting = this.#single.length;
    const wait = (1 + Math.floor(waiting / room)) * batchMs;
    return waiting >= queueSize || (waiting >= room && wait > maxQueueWait);
  }

  /** The same for an owner's request of many: one of each owner may always wait, unless the lane is stuck. */
  isTooLongFor(owner: string, commands: number, now: number): boolean {
    const line = this.#many.get(owner);
    if (this.#isStuck(this.#single, now) || this.#isStuck(line, now, PATIENCE_OF_MANY)) return true;
    return line !== undefined && weightOf(line) + commands > this.options.queueSize / (this.#many.size + 1);
  }

  #isStuck([oldest]: readonly C[] = [], now: number, patience = 1): boolean {
    const { maxQueueWait, deadline } = this.options;
    return oldest !== undefined && now - (oldest.deadline - deadline) > patience * maxQueueWait;
  }

  /** Commands that consist of more than there is room for go alone. */
  #takeTurns(most: number): C[] {
    const taken: C[] = [];
    const share = Math.ceil(most / this.#many.size);
    let left = most;
    for (const [owner, line] of this.#many) {
      const before = taken.length;
      let own = Math.min(share, left);
      while (line.length > 0 && own > 0 && (weight(line[0]!) <= left || left === most)) {
        const next = line.shift()!;
        taken.push(next);
        own -= weight(next);
        left -= weight(next);
      }
      if (taken.length === before) break;
      this.#many.delete(owner);
      if (line.length > 0) this.#many.set(owner, line);
      if (left <= 0) break;
    }
    return taken;
  }
}

const weight = ({ parts }: Queued) => parts?.length ?? 1;
const weightOf = (line: readonly Queued[]) => line.reduce((sum, one) => sum + weight(one), 0);
