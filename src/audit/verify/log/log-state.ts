import type { Database } from '../../../platform/database/index.js';
import type { HeadRow } from './log-check.js';

/** The present head rows, in order of partition. @param partition only this one; `null`: all */
export async function readHeads(database: Database, partition: number | null = null): Promise<HeadRow[]> {
  const rows = await database.backgroundQuery<{
    partition: number;
    position: string;
    root: Buffer;
    peaks: Buffer;
    time: Date;
  }>({
    name: 'audit-heads',
    text: `
      select partition, position, root, peaks, time from log_head
      where $1::int is null or partition = $1
      order by partition`,
    values: [partition],
  });
  return rows.map(({ position, ...row }) => ({ ...row, size: BigInt(position) }));
}

/** Checkpoints of a partition's followers, by consumer. */
export async function readReached(database: Database, partition: number): Promise<Map<string, bigint>> {
  const rows = await database.backgroundQuery<{ consumer: string; position: string }>({
    name: 'audit-subscriptions',
    text: 'select consumer, position from subscription where partition = $1',
    values: [partition],
  });
  return new Map(rows.map(({ consumer, position }) => [consumer, BigInt(position)]));
}

/**
 * The time of the newest event, not that of a head: a head's may be anything, and `verify` says so.
 * @returns milliseconds; 0 without events
 */
export async function readNewestTime(database: Database): Promise<number> {
  const [row] = await database.backgroundQuery<{ newest: Date | null }>({
    name: 'audit-newest-time',
    text: `
      select least(max(e.time), timestamptz '9999-01-01') as newest from log_head h
      join event e on e.partition = h.partition and e.position = h.position`,
    values: [],
  });
  return row!.newest?.getTime() ?? 0;
}
