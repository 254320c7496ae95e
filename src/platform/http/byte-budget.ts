import type { ServerResponse } from 'node:http';
import { Overloaded } from '../errors/index.js';

/** Bytes of a body, but where a route takes more. */
export const BODY_LIMIT = 64 * 1024;

/** Bytes of bodies that may be in memory at once. */
export interface ByteBounds {
  readonly ofAll: number;
  readonly ofOne: number;
}

/** Of all bytes, what is left to callers who have none under way: a few who take all they can keep nobody else out. */
const LEFT_TO_OTHERS = 1 / 4;

/** Bounds the memory that long bodies take, of all callers and of one: nobody's connections can exhaust the process. */
export class ByteBudget {
  #used = 0;
  readonly #usedBy = new Map<string, number>();

  constructor(private readonly bounds: ByteBounds) {}

  /**
   * Takes them until the answer is over; of a caller who has gone meanwhile, nothing would tell that.
   * @param bytes at most the bound of one
   * @throws Overloaded when they would be too many
   */
  takeUntilAnswered(answer: ServerResponse, caller: string, bytes: number): void {
    if (answer.destroyed) return;
    const own = this.#usedBy.get(caller) ?? 0;
    const most = own === 0 ? this.bounds.ofAll : this.bounds.ofAll * (1 - LEFT_TO_OTHERS);
    if (own + bytes > this.bounds.ofOne || this.#used + bytes > most) {
      throw new Overloaded('Too many long requests are under way. Nothing was done.');
    }
    this.#add(caller, bytes);
    answer.once('close', () => this.#add(caller, -bytes));
  }

  #add(caller: string, bytes: number): void {
    this.#used += bytes;
    const own = (this.#usedBy.get(caller) ?? 0) + bytes;
    if (own === 0) this.#usedBy.delete(caller);
    else this.#usedBy.set(caller, own);
  }
}
