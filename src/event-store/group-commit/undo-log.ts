/** Takes back what was done in memory since a savepoint, the newest first. Outside of one nothing is kept. */
export class UndoLog {
  #undo: (() => void)[] | undefined;

  begin(): void {
    this.#undo = [];
  }

  /** @param takeBack of what is done now */
  add(takeBack: () => void): void {
    this.#undo?.push(takeBack);
  }

  /** Sets an entry of a map. */
  set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    if (this.#undo) {
      const [had, before] = [map.has(key), map.get(key)];
      this.add(() => void (had ? map.set(key, before as Value) : map.delete(key)));
    }
    map.set(key, value);
  }

  rollBack(): void {
    for (const takeBack of this.#undo?.reverse() ?? []) takeBack();
    this.#undo = [];
  }

  /** Ends the savepoint: what was done stays. */
  end(): void {
    this.#undo = undefined;
  }
}
