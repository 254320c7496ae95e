import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Partitions, WakeUp } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { TREE_CONSUMER } from './stored-nodes.js';
import { TreeBuilder } from './tree-builder.js';

const FOLLOW_MS = 1_000;
/** Every so many rounds partitions without a notification are polled too: notifications may be lost. */
const ROUNDS_OF_ALL = 10;
/** Delay before a page is retried that another process has locked. */
const LOCKED_MS = 20;
/**
 * Pauses between pages, as multiples of a page's time: for a checkpoint (a sixth of the time keeps up), and otherwise.
 */
const MAX_PAUSE = { awaited: 5, following: 20 };

/**
 * Extends the partitions' trees behind the log, every second and mostly in idle time: a checkpoint finds nearly all of
 * its tree built, and a burst of events causes no burst of hashing.
 */
@Injectable()
export class TreeGrowth implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  /** Partitions with new events since the last round. */
  readonly #notified = new Set<number>();
  #rounds = -1;
  #stopListening: (() => void) | undefined;
  #following: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly wakeUp: WakeUp,
    private readonly builder: TreeBuilder,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role === 'api') return;
    this.#stopListening = this.wakeUp.onAppended((partition) => void this.#notified.add(partition));
    this.#timer = setInterval(() => {
      // A failure here fails the next checkpoint too, which reports it.
      this.#following ??= this.#follow()
        .catch(() => undefined)
        .finally(() => (this.#following = undefined));
    }, FOLLOW_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening?.();
    await this.#following;
  }

  /**
   * Extends a partition's tree for a checkpoint. Another holder of the lock, in this process or another, only follows
   * the log and signs nothing, so this waits for its page.
   * @returns whether the nodes cover `target`: they do, unless the application ends
   * @throws as `TreeBuilder.extend`
   */
  async reach(partition: number, target: bigint): Promise<boolean> {
    for (;;) {
      const outcome = await this.builder.extend(partition, target, MAX_PAUSE.awaited);
      if (outcome !== 'locked') return outcome === 'covered';
      await setTimeout(LOCKED_MS);
    }
  }

  async #follow(): Promise<void> {
    this.#rounds += 1;
    const noted = this.#rounds % ROUNDS_OF_ALL === 0 ? this.partitions.all() : [...this.#notified];
    const partitions = noted.filter((partition) => this.partitions.owns(partition));
    this.#notified.clear();
    const { found } = await this.partitions.ask(partitions, (partition) =>
      this.database.backgroundQuery<{ position: string }>({
        name: 'tree-nodes-behind',
        text: `
          select h.position from log_head h
          left join subscription s on s.partition = h.partition and s.consumer = $2
          where h.partition = $1 and h.position > coalesce(s.position, 0)`,
        values: [partition, TREE_CONSUMER],
      }),
    );
    for (const [partition, [behind]] of found) {
      if (behind) await this.builder.extend(partition, BigInt(behind.position), MAX_PAUSE.following);
    }
  }
}
