import type { PoolClient } from 'pg';
import type { Statement } from '../../event-store/index.js';
import { nodeHash } from '../../event-store/log/merkle.js';
import type { Queryable } from '../../platform/database/index.js';
import { HistoryAltered } from '../errors.js';
import { LOWEST_STORED_LEVEL, type StoredNode } from './growing-tree.js';
import type { SubtreeRef } from './ranges.js';

/** The consumer whose checkpoint is the size that the stored nodes cover. */
export const TREE_CONSUMER = 'tree-nodes';

export const nameOf = ({ level, index }: SubtreeRef) => `${level}/${index}`;

/**
 * Hashes of complete subtrees, by `nameOf`, with at most two reads.
 * @throws HistoryAltered if one of them is missing
 */
export async function loadNodes(
  database: Queryable,
  partition: number,
  refs: readonly SubtreeRef[],
): Promise<Map<string, Buffer>> {
  const stored = refs.filter(({ level }) => level >= LOWEST_STORED_LEVEL);
  const small = refs.filter(({ level }) => level < LOWEST_STORED_LEVEL);
  const found = new Map<string, Buffer>();
  if (stored.length > 0) {
    const rows = await database.query<{ level: number; index: string; hash: Buffer }>(storedNodes(partition, stored));
    for (const { level, index, hash } of rows) found.set(`${level}/${index}`, hash);
  }
  if (small.length > 0) await hashLeaves(database, partition, small, found);
  for (const ref of refs) {
    if (!found.has(nameOf(ref))) {
      throw new HistoryAltered(
        partition,
        (ref.index << BigInt(ref.level)) + 1n,
        'a stored node of the tree is missing',
      );
    }
  }
  return found;
}

/** Each node is looked for by its whole key: joined with a list of them, all nodes of a partition are read. */
export function storedNodes(partition: number, refs: readonly SubtreeRef[]): Statement {
  return {
    name: 'tree-node-load',
    text: `
      select w.level, w.index, n.hash
      from unnest($2::smallint[], $3::bigint[]) as w (level, index)
      cross join lateral (
        select hash from tree_node
        where partition = $1 and level = w.level and index = w.index offset 0) as n`,
    values: [partition, refs.map(({ level }) => level), refs.map(({ index }) => index)],
  };
}

async function hashLeaves(
  database: Queryable,
  partition: number,
  refs: readonly SubtreeRef[],
  found: Map<string, Buffer>,
): Promise<void> {
  const positionsOf = ({ level, index }: SubtreeRef) =>
    Array.from({ length: 1 << level }, (_, i) => (index << BigInt(level)) + BigInt(i) + 1n);
  const rows = await database.query<{ position: string; leaf: Buffer }>({
    name: 'tree-leaves-load',
    text: 'select position, leaf from event where partition = $1 and position = any($2::bigint[])',
    values: [partition, refs.flatMap(positionsOf)],
  });
  const leaves = new Map(rows.map(({ position, leaf }) => [position, leaf]));
  for (const ref of refs) {
    let row = positionsOf(ref).map((position) => leaves.get(String(position)));
    if (row.includes(undefined)) continue;
    while (row.length > 1) row = pairs(row as Buffer[]);
    found.set(nameOf(ref), row[0]!);
  }
}

export async function storeNodes(client: PoolClient, partition: number, nodes: readonly StoredNode[]): Promise<void> {
  if (nodes.length === 0) return;
  await client.query({
    name: 'tree-node-insert',
    text: `
      insert into tree_node (partition, level, index, hash)
      select $1, n.level, n.index, n.hash
      from unnest($2::smallint[], $3::bigint[], $4::bytea[]) as n (level, index, hash)`,
    values: [
      partition,
      nodes.map(({ level }) => level),
      nodes.map(({ index }) => index),
      nodes.map(({ hash }) => hash),
    ],
  });
}

function pairs(row: readonly Buffer[]): Buffer[] {
  return Array.from({ length: row.length / 2 }, (_, i) => nodeHash(row[2 * i]!, row[2 * i + 1]!));
}
