interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 500;

/**
 * Batches calls: items that arrive during a call go into the next one. An item that arrives while idle is sent at once;
 * under load, items share a statement and a commit.
 */
export class Coalesced<In, Out> {
  #waiting: Waiting<In, Out>[] = [];
  #busy = false;

  /**
   * @param call carries out a batch; its results are in the order of the items. Its error rejects all items of the
   * batch.
   */
  constructor(private readonly call: (items: readonly In[]) => Promise<readonly Out[]>) {}

  /** Nothing is in progress, nor waits. */
  get isIdle(): boolean {
    return !this.#busy;
  }

  run(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#busy) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH);
      this.#waiting = this.#waiting.slice(MAX_BATCH);
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
