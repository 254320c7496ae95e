import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';

const POLL_MS = 100;

/** For reads of a follower's table that would be wrong, not only old, while the follower lags. */
@Injectable()
export class CaughtUp {
  constructor(private readonly database: Database) {}

  /** @returns whether a consumer has, within a time, all that the log had at the call, in every partition */
  async within(ms: number, consumer: string): Promise<boolean> {
    const until = performance.now() + ms;
    const heads = new Map<number, string>();
    while (true) {
      const rows = await this.database.query<{ partition: number; head: string; reached: string }>({
        name: 'follower-reached',
        text: `
          select h.partition, h.position as head, coalesce(s.position, 0) as reached
          from log_head h left join subscription s on s.partition = h.partition and s.consumer = $1`,
        values: [consumer],
      });
      if (heads.size === 0) rows.forEach(({ partition, head }) => heads.set(partition, head));
      if (rows.every(({ partition, reached }) => BigInt(reached) >= BigInt(heads.get(partition) ?? 0))) return true;
      if (performance.now() >= until) return false;
      await sleep(POLL_MS);
    }
  }
}
