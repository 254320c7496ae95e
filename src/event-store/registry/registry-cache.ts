import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../log/event.js';
import type { Folded } from '../log/whole-streams.js';
import type { RegistryTail } from './registry-tail.js';

/** Where a cache of registry data has them from. */
export interface RegistrySource<V> {
  /** The key that an event invalidates, if any. */
  staleBy(event: RecordedEvent): string | undefined;
  /**
   * As its own events make it: a row that is changed for a moment would be remembered for as long as nothing changes.
   */
  logged(key: string): Promise<Folded<V> | undefined>;
  /** As its row is, of which every node has a copy; not remembered. */
  copied(key: string): Promise<V | undefined>;
}

const MAX_ENTRIES = 50_000;

/**
 * A cache of registry data that events of the registry's partition invalidate: at once in the process that appended the
 * event, within a poll interval in the others.
 */
export class RegistryCache<V> {
  /** Bounded by size: a bound by number takes its room at once, and milliseconds of every start. */
  readonly #entries = new LRUCache<string, Promise<V | undefined>>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 });

  constructor(
    private readonly tail: RegistryTail,
    private readonly source: RegistrySource<V>,
  ) {
    tail.onEvent((event) => {
      const key = source.staleBy(event);
      if (key !== undefined) this.#entries.delete(key);
    });
    tail.onReset(() => this.#entries.clear());
  }

  /** @throws ServiceUnavailable when the registry can neither be followed nor read from a copy */
  get(key: string): Promise<V | undefined> {
    if (this.tail.isFresh) return this.#get(key);
    return this.tail.freshen().then((isFresh) => (isFresh ? this.#get(key) : this.source.copied(key)));
  }

  #get(key: string): Promise<V | undefined> {
    let entry = this.#entries.get(key);
    if (!entry) {
      entry = this.#read(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /**
   * Neither failures nor absences are cached: guessed keys must not fill the cache. Nor is what has an event that was
   * not followed yet: if that is gone with a standby that lagged, nobody will tell.
   */
  async #read(key: string): Promise<V | undefined> {
    let isKept = false;
    try {
      const found = await this.source.logged(key);
      isKept = found !== undefined && this.tail.hasFollowed(found.upTo);
      return found?.state;
    } finally {
      if (!isKept) queueMicrotask(() => this.#entries.delete(key));
    }
  }
}
