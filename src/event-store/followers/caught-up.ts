import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Partitions } from '../log/partitions.js';
import { checkpointOf } from './follower-checkpoints.js';

const POLL_MS = 100;

/** For reads of a follower's table that would be wrong, not only old, while the follower lags. */
@Injectable()
export class CaughtUp {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /** @returns whether a consumer has, within a time, all that the log had at the call, in every partition */
  async within(ms: number, consumer: string): Promise<boolean> {
    const until = performance.now() + ms;
    const heads = new Map<number, bigint>();
    for (let left = this.partitions.all(); ;) {
      const { found, away } = await this.partitions.ask(left, (partition) => this.#positions(partition, consumer));
      const behind = found.filter(([partition, { head, reached }]) => {
        if (!heads.has(partition)) heads.set(partition, head);
        return reached < heads.get(partition)!;
      });
      left = [...behind.map(([partition]) => partition), ...away];
      if (left.length === 0) return true;
      if (performance.now() >= until) return false;
      await sleep(POLL_MS);
    }
  }

  async #positions(partition: number, consumer: string): Promise<{ head: bigint; reached: bigint }> {
    const [row] = await this.database.query<{ head: string; reached: string }>({
      name: `reached-by-${consumer}`,
      text: `select position as head, ${checkpointOf(consumer)} as reached from log_head where partition = $1`,
      values: [partition],
    });
    return { head: BigInt(row!.head), reached: BigInt(row!.reached) };
  }
}
