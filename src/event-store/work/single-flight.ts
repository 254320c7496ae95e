/** Tasks in progress, so that a statement that hangs is not repeated. */
export class SingleFlight {
  readonly #inFlight = new Set<string>();

  constructor(private readonly failed: (what: string, error: unknown) => void) {}

  /** Skipped while the same task is still in progress. */
  async run(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#inFlight.has(what)) return;
    this.#inFlight.add(what);
    try {
      await work();
    } catch (error) {
      this.failed(what, error);
    } finally {
      this.#inFlight.delete(what);
    }
  }
}
