import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { Partitions } from '../log/partitions.js';
import { checkpointOf } from './follower-checkpoints.js';
import type { Follower } from './follower.js';

const POLL_MS = 100;

/** For reads of a follower's table that would be wrong, not only old, while the follower lags. */
@Injectable()
export class CaughtUp {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
  ) {}

  /**
   * @returns whether a follower has, within a time, all that the log had for it at the call, in every partition. Events
   *   that it does not handle are no lag, however many
   */
  async within(ms: number, follower: Pick<Follower, 'name' | 'handles'>): Promise<boolean> {
    const until = performance.now() + ms;
    const heads = new Map<number, string>();
    for (let left = this.partitions.all(); ;) {
      const { found, away } = await this.partitions.ask(left, (partition) =>
        this.#standing(partition, follower, heads.get(partition)),
      );
      for (const [partition, { head }] of found) heads.set(partition, head);
      left = [...found.flatMap(([partition, { lags }]) => (lags ? [partition] : [])), ...away];
      if (left.length === 0) return true;
      if (performance.now() >= until) return false;
      await sleep(POLL_MS);
    }
  }

  /** @param upTo position; absent: the log's head */
  async #standing(
    partition: number,
    { name, handles }: Pick<Follower, 'name' | 'handles'>,
    upTo: string | undefined,
  ): Promise<{ head: string; lags: boolean }> {
    const [row] = await this.database.query<{ head: string; lags: boolean }>({
      name: `lag-of-${name}`,
      text: `
        select h.head::text, exists (
          select from event e
          where e.partition = $1 and e.position > ${checkpointOf(name)} and e.position <= h.head
            and ($3::text[] is null or e.type = any($3))) as lags
        from (select coalesce($2::bigint, position) as head from log_head where partition = $1) h`,
      values: [partition, upTo ?? null, handles ? [...handles] : null],
    });
    return row!;
  }
}
