/**
 * Reads of which many may ask for the same: those who ask while it is in progress share the next one. Each read begins
 * after it was asked for, so it shows whatever was committed before.
 */
export class SharedReads<Out> {
  /** Reads in progress, until they have ended. */
  readonly #current = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Promise<Out>>();

  /**
   * @param key says all that the read depends on, the reader's rights included
   * @param read its result is given to several, who must not change it; its error too
   */
  run(key: string, read: () => Promise<Out>): Promise<Out> {
    const waiting = this.#next.get(key);
    if (waiting) return waiting;
    const current = this.#current.get(key);
    if (!current) return this.#begin(key, read);
    const next = current.then(() => {
      this.#next.delete(key);
      return this.#begin(key, read);
    });
    this.#next.set(key, next);
    return next;
  }

  #begin(key: string, read: () => Promise<Out>): Promise<Out> {
    const result = read();
    const ended = () => void this.#current.delete(key);
    this.#current.set(key, result.then(ended, ended));
    return result;
  }
}
