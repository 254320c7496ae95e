import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Partitions, WakeUp } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { TREE_CONSUMER } from './stored-nodes.js';
import { TreeBuilder } from './tree-builder.js';

const FOLLOW_MS = 1_000;
/** Rounds after which partitions are asked of which nobody has told any news. */
const ROUNDS_OF_ALL = 10;
/** How soon a page is tried again that somebody else is at. */
const COLLISION_MS = 20;
/** Rests between pages, in times of a page's own: for a checkpoint (a sixth of the time keeps up), and else. */
const MOST_REST = { awaited: 5, following: 20 };

/**
 * Lets the partitions' trees follow the log, every second and in idle moments above all: a checkpoint finds nearly all
 * of its tree made, and a burst of events is not followed by one of hashing.
 */
@Injectable()
export class TreeGrowth implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  /** Partitions that were told of since the last round. */
  readonly #news = new Set<number>();
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
    this.#stopListening = this.wakeUp.onAppended((partition) => void this.#news.add(partition));
    this.#timer = setInterval(() => {
      // What fails here fails for the next checkpoint too, and is told then.
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
   * Extends a partition's tree for a checkpoint. Whoever else is at it lets it follow the log and signs nothing, in this
   * process or another, so its page is waited for.
   * @returns whether the nodes cover `target`: they do, unless the application ends
   * @throws as `TreeBuilder.extend`
   */
  async reach(partition: number, target: bigint): Promise<boolean> {
    for (;;) {
      const outcome = await this.builder.extend(partition, target, MOST_REST.awaited);
      if (outcome !== 'taken') return outcome === 'covered';
      await setTimeout(COLLISION_MS);
    }
  }

  async #follow(): Promise<void> {
    this.#rounds += 1;
    const partitions = this.#rounds % ROUNDS_OF_ALL === 0 ? this.partitions.all() : [...this.#news];
    this.#news.clear();
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
      if (behind) await this.builder.extend(partition, BigInt(behind.position), MOST_REST.following);
    }
  }
}
