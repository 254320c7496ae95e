import { setTimeout } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { eventsAfter, hashEvent, makeCheckpoint, moveCheckpoints, parseEventRows } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { HistoryAltered } from '../errors.js';
import { GrowingTree, type StoredNode } from './growing-tree.js';
import { subtreesOf } from './ranges.js';
import { loadNodes, nameOf, storeNodes, TREE_CONSUMER } from './stored-nodes.js';

/** Events hashed at once: they block the event loop for about two milliseconds. */
const PAGE = 125;

/** Builds the interior nodes of the partitions' trees. */
@Injectable()
export class TreeBuilder implements BeforeApplicationShutdown {
  readonly #end = new AbortController();

  constructor(private readonly database: Database) {}

  /** Before the rest is shut down: who waits for a tree is shut down first, and waits until it has ended. */
  beforeApplicationShutdown(): void {
    this.#end.abort();
  }

  /**
   * Hashes every event up to `target` from its own bytes and stores the nodes that become complete. A page is a short
   * transaction, followed by a pause: the busier the process was since the last page, the longer.
   * @param maxPause as a multiple of the page's own time
   * @returns whether the nodes cover `target` now; otherwise another process holds the lock, or the application ends
   * @throws HistoryAltered if an event is missing or does not match its stored hash
   */
  async extend(partition: number, target: bigint, maxPause: number): Promise<'covered' | 'locked' | 'ended'> {
    const { signal } = this.#end;
    await this.database.backgroundQuery(makeCheckpoint(partition, TREE_CONSUMER));
    for (let paused = performance.eventLoopUtilization(); ;) {
      const { active, idle } = performance.eventLoopUtilization(paused);
      const began = performance.now();
      const reached = await this.database.transaction(
        (client) => this.#extendByPage(client, partition, target),
        partition,
      );
      if (signal.aborted) return 'ended';
      if (reached === undefined) return 'locked';
      if (reached >= target) return 'covered';
      paused = performance.eventLoopUtilization();
      const pause = (performance.now() - began) * Math.min(active / idle, maxPause);
      await setTimeout(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async #extendByPage(client: PoolClient, partition: number, target: bigint): Promise<bigint | undefined> {
    const lock = await client.query<{ position: string }>({
      name: 'subscription-lock',
      text: `
      select position from subscription
      where partition = $1 and consumer = $2
      for update skip locked`,
      values: [partition, TREE_CONSUMER],
    });
    if (!lock.rows[0]) return undefined;
    const covered = BigInt(lock.rows[0].position);
    if (covered >= target) return covered;
    const wanted = Math.min(PAGE, Number(target - covered));
    const { rows } = await client.query<Record<string, unknown>>(eventsAfter(partition, covered, wanted));
    const leaves = parseEventRows(rows).map((row, i) => {
      const expected = covered + BigInt(i + 1);
      if (row.position !== expected) throw new HistoryAltered(partition, expected, 'the event is missing');
      const leaf = hashEvent(row);
      if (!leaf.equals(row.leaf)) throw new HistoryAltered(partition, expected, 'the event does not have its hash');
      return leaf;
    });
    if (leaves.length < wanted) {
      throw new HistoryAltered(partition, covered + BigInt(leaves.length + 1), 'the event is missing');
    }
    const nodes = await this.#completed(partition, covered, leaves);
    await storeNodes(client, partition, nodes);
    const reached = covered + BigInt(leaves.length);
    await client.query(moveCheckpoints(partition, [TREE_CONSUMER], reached));
    return reached;
  }

  /** The nodes to be stored that `leaves` complete, when they follow the first `covered` ones. */
  async #completed(partition: number, covered: bigint, leaves: readonly Buffer[]): Promise<StoredNode[]> {
    const refs = subtreesOf({ start: 0n, end: covered });
    const known = await loadNodes(this.database.inBackground, partition, refs);
    const peaks = refs.map((ref) => known.get(nameOf(ref))!);
    const tree = new GrowingTree(covered, peaks);
    return leaves.flatMap((leaf) => tree.append(leaf));
  }
}
