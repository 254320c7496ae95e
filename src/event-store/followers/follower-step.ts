import type { PoolClient } from 'pg';
import type { LastStatement } from '../../platform/database/index.js';
import type { RecordedEvent } from '../log/event.js';
import { parseEventRows, toRecorded } from '../log/event-log.js';
import type { Follower } from './follower.js';
import { lockAndRead, lockHindmost, moveCheckpoints, passCheckpoints } from './follower-checkpoints.js';
import type { Statement } from '../log/statement.js';
import type { RecentEvents } from '../log/recent-events.js';

/**
 * Events of a batch, also of followers that handle some types only: behind, they may handle all of them, and those of a
 * partition each are held at once.
 */
const BATCH = 1_000;

export interface Stepped {
  /** Whether the batch was full: then there may be more events. Later ones are signalled. */
  readonly more: boolean;
  /** Sources of work that got new items; absent: unknown. */
  readonly sources?: readonly string[];
}

/** Checkpoints that this transaction has locked, all at one position, and the events after it. */
interface Next {
  readonly consumers: readonly string[];
  /** In order. There may be some of types that none of the followers handles. */
  readonly events: readonly RecordedEvent[];
  /** Position of the followers after these events. */
  readonly position: bigint;
  readonly more: boolean;
}

/**
 * Where nothing of what this process has just written after a position is for these followers, one statement moves
 * their checkpoints, without a transaction. It answers with those that it moved.
 */
export function passing(
  followers: readonly Follower[],
  partition: number,
  after: bigint,
  recent: RecentEvents,
): Statement | undefined {
  const types = new Set(typesOf(followers));
  const events = types.size > 0 ? recent.after(partition, after, Infinity) : [];
  const last = events.at(-1);
  if (!last || events.some(({ type }) => types.has(type))) return undefined;
  return passCheckpoints(
    partition,
    followers.map(({ name }) => name),
    after,
    last,
  );
}

/**
 * One batch of one partition, in the caller's transaction: for the followers that no other process drives and that
 * share the lowest position. Their events are read and parsed once, or taken from memory where this process has just
 * written them.
 * @param most events of the batch at most
 */
export async function step(
  client: PoolClient,
  last: LastStatement,
  followers: readonly Follower[],
  partition: number,
  recent: RecentEvents,
  most: number,
): Promise<Stepped> {
  const types = typesOf(followers);
  const limit = Math.min(most, BATCH);
  const names = followers.map(({ name }) => name);
  const next =
    (await remembered(client, partition, names, limit, recent)) ?? (await read(client, partition, names, limit, types));
  if (!next) return { more: false, sources: [] };
  const { consumers, events, position, more } = next;
  let sources: readonly string[] | undefined = [];
  for (const follower of followers.filter(({ name }) => consumers.includes(name))) {
    const { handles } = follower;
    const its = handles ? events.filter(({ type }) => handles.has(type)) : events;
    const given = its.length > 0 ? await follower.handle(client, partition, its) : [];
    sources = given && sources ? [...sources, ...given] : undefined;
  }
  last(moveCheckpoints(partition, consumers, position));
  return { more, sources };
}

async function remembered(
  client: PoolClient,
  partition: number,
  names: readonly string[],
  limit: number,
  recent: RecentEvents,
): Promise<Next | undefined> {
  const newest = recent.newest(partition);
  if (newest === undefined) return undefined;
  const locked = await client.query<Record<string, unknown>>({ ...lockHindmost(partition, names, limit, newest) });
  const [hindmost] = locked.rows;
  if (!hindmost) return undefined;
  // Up to the position that the statement was given; more may be remembered by now.
  const after = BigInt(hindmost.after as string);
  const events = recent.after(partition, after, Math.min(limit, Number(newest - after)));
  const last = events.at(-1);
  if (!last || last.id !== hindmost.event_id) return undefined;
  return { consumers: hindmost.consumers as string[], events, position: last.position, more: events.length === limit };
}

async function read(
  client: PoolClient,
  partition: number,
  names: readonly string[],
  limit: number,
  types: readonly string[] | null,
): Promise<Next | undefined> {
  const { rows } = await client.query<Record<string, unknown>>({ ...lockAndRead(partition, names, limit, types) });
  const last = rows.at(-1);
  if (!last) return undefined;
  const position = BigInt(last.position as string);
  return {
    consumers: last.consumers as string[],
    events: parseEventRows(rows, ({ type }) => !types || types.includes(type as string)).map(toRecorded),
    position,
    more: position === BigInt(last.after as string) + BigInt(limit),
  };
}

/** All types that any of them handles; `null`: every one. */
function typesOf(followers: readonly Follower[]): readonly string[] | null {
  const sets = followers.map(({ handles }) => handles);
  return sets.includes(undefined) ? null : [...new Set(sets.flatMap((types) => [...types!]))];
}
