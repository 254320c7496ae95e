import type { PoolClient } from 'pg';
import { parseEventRow, toRecorded } from './event-log.js';
import type { Follower } from './follower.js';
import { lockAndRead, moveCheckpoints } from './follower-checkpoints.js';

const BATCH = 1_000;
/** Of followers that are given some types only. */
const SIFTED_BATCH = 5_000;

export interface Stepped {
  /** Whether there may be more. */
  readonly more: boolean;
  /** Sources of work that were given something; absent: unknown. */
  readonly sources?: readonly string[];
}

/**
 * One batch of one partition, in the caller's transaction: for those of the followers that nobody else drives and that
 * stand where the hindmost of them stands. What they share is read and parsed once.
 */
export async function step(client: PoolClient, followers: readonly Follower[], partition: number): Promise<Stepped> {
  const types = typesOf(followers);
  const limit = types ? SIFTED_BATCH : BATCH;
  const names = followers.map(({ name }) => name);
  const { rows } = await client.query<Record<string, unknown>>({ ...lockAndRead(partition, names, limit, types) });
  const last = rows.at(-1);
  if (!last) return { more: false, sources: [] };
  const consumers = last.consumers as string[];
  const events = rows
    .filter(({ type }) => !types || types.includes(type as string))
    .map((row) => toRecorded(parseEventRow(row)));
  let sources: readonly string[] | undefined = [];
  for (const follower of followers.filter(({ name }) => consumers.includes(name))) {
    const { handles } = follower;
    const its = handles ? events.filter(({ type }) => handles.has(type)) : events;
    const given = its.length > 0 ? await follower.handle(client, partition, its) : [];
    sources = given && sources ? [...sources, ...given] : undefined;
  }
  const position = BigInt(last.position as string);
  await client.query({ ...moveCheckpoints(partition, consumers, position) });
  return { more: position === BigInt(last.after as string) + BigInt(limit), sources };
}

/** All types that any of them is given; `null`: every one. */
function typesOf(followers: readonly Follower[]): readonly string[] | null {
  const sets = followers.map(({ handles }) => handles);
  return sets.includes(undefined) ? null : [...new Set(sets.flatMap((types) => [...types!]))];
}
