import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { TREE_CONSUMER } from './stored-nodes.js';
import { TreeBuilder } from './tree-builder.js';

const FOLLOW_MS = 1_000;
/** How soon a page is tried again that another process is at. */
const COLLISION_MS = 20;
/** Rests between pages, in times of a page's own: while a checkpoint waits (a sixth of the time keeps up), and else. */
const MOST_REST = { awaited: 5, following: 20 };

/**
 * Lets the partitions' trees follow the log, every second and in idle moments above all: a checkpoint finds nearly all
 * of its tree made, and a burst of events is not followed by one of hashing.
 */
@Injectable()
export class TreeGrowth implements OnApplicationBootstrap, OnApplicationShutdown {
  #timer: NodeJS.Timeout | undefined;
  #following: Promise<void> | undefined;
  #awaited = false;
  #ended = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly builder: TreeBuilder,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role !== 'api') this.#timer = setInterval(() => this.#follow(), FOLLOW_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.#ended = true;
    clearInterval(this.#timer);
    await this.#following;
  }

  /**
   * Extends a partition's tree for a checkpoint; one at a time. Another process whose tree follows the log may be at it
   * and sign nothing, so it is waited for.
   * @returns whether the nodes cover `target`: they do, unless the application ends
   * @throws as `TreeBuilder.extend`
   */
  async reach(partition: number, target: bigint): Promise<boolean> {
    this.#awaited = true;
    try {
      await this.#following;
      while (!(await this.builder.extend(partition, target, () => MOST_REST.awaited))) {
        if (this.#ended) return false;
        await setTimeout(COLLISION_MS);
      }
      return true;
    } finally {
      this.#awaited = false;
    }
  }

  #follow(): void {
    if (this.#awaited || this.#following) return;
    // What fails here fails for the next checkpoint too, and is told then.
    this.#following = this.#round()
      .catch(() => undefined)
      .finally(() => (this.#following = undefined));
  }

  async #round(): Promise<void> {
    const behind = await this.database.backgroundQuery<{ partition: number; position: string }>({
      name: 'tree-nodes-behind',
      text: `
        select h.partition, h.position from log_head h
        left join subscription s on s.partition = h.partition and s.consumer = $1
        where h.position > coalesce(s.position, 0)
        order by h.partition`,
      values: [TREE_CONSUMER],
    });
    const { awaited, following } = MOST_REST;
    for (const { partition, position } of behind) {
      await this.builder.extend(partition, BigInt(position), () => (this.#awaited ? awaited : following));
    }
  }
}
