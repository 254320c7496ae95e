import { setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EventLog } from '../../event-store/index.js';
import { ownerClient } from '../../platform/database/index.js';
import { TREE_CONSUMER } from '../tree/stored-nodes.js';
import { TreeBuilder } from '../tree/tree-builder.js';

/** Who holds a tree's lock does a page of it. */
const PAGE_MS = 5;

/**
 * Rebuilds the stored nodes of the partitions' trees from the bytes of the events. Until they cover a checkpoint again,
 * proofs for it are refused and none is signed. Needs the database's owner: the service may not delete nodes.
 */
@Injectable()
export class TreeRebuild {
  constructor(
    private readonly log: EventLog,
    private readonly builder: TreeBuilder,
  ) {}

  /** @returns how many events went into them. @throws HistoryAltered */
  async rebuild(databaseUrl: string, onProgress: (done: bigint, total: bigint) => void): Promise<bigint> {
    const heads = await this.log.heads();
    const total = [...heads.values()].reduce((sum, size) => sum + size, 0n);
    let done = 0n;
    for (const [partition, size] of heads) {
      await reset(databaseUrl, partition);
      // A running service extends the tree too: the holder of the lock does the page.
      while ((await this.builder.extend(partition, size, 0)) === 'locked') await setTimeout(PAGE_MS);
      done += size;
      onProgress(done, total);
    }
    return total;
  }
}

/** Deletes nodes and resets the checkpoint in one transaction, under its lock: nobody extends a partial tree. */
async function reset(databaseUrl: string, partition: number): Promise<void> {
  const client = ownerClient(databaseUrl, 'payments rebuild');
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into subscription (partition, consumer, position) values ($1, $2, 0)
       on conflict (partition, consumer) do update set position = 0`,
      [partition, TREE_CONSUMER],
    );
    await client.query('delete from tree_node where partition = $1', [partition]);
    await client.query('commit');
  } finally {
    // Ending the connection rolls back what was not committed.
    await client.end();
  }
}
