interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

const MOST_AT_ONCE = 500;

/**
 * Makes one call out of many: whatever arrives while a call is under way goes into the next one. An idle caller waits for
 * nobody, a busy one pays for a part of a statement and of a commit.
 */
export class Coalesced<In, Out> {
  #waiting: Waiting<In, Out>[] = [];
  #busy = false;

  /** @param call carries out a batch; its results are in the order of the items. What it throws, all of the batch get. */
  constructor(private readonly call: (items: readonly In[]) => Promise<readonly Out[]>) {}

  run(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#busy) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MOST_AT_ONCE);
      this.#waiting = this.#waiting.slice(MOST_AT_ONCE);
      try {
        const results = await this.call(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, i) => resolve(results[i]!));
      } catch (error) {
        batch.forEach(({ reject }) => reject(error));
      }
    }
    this.#busy = false;
  }
}
