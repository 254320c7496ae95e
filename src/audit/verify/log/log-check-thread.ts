import { parentPort, workerData } from 'node:worker_threads';
import { Database } from '../../../platform/database/database.js';
import { logPages } from '../../log/log-pages.js';
import { type HeadRow, type KnownCheckpoint, LogCheck } from './log-check.js';
import { Findings } from '../report.js';
import { sumTable, type TableSum, type TableToSum } from '../projections/sum-table.js';
import type { FromThread, ToThread } from './threaded-log-check.js';
import { TreeNodesCheck } from './tree-nodes-check.js';

/** The thread of `ThreadedLogCheck`: reads the log by itself, without the application. */
const port = parentPort!;
const database = new Database(workerData as string, () => undefined);
const send = (message: FromThread) => port.postMessage(message);

/** One request is open at a time: the check waits for its checkpoint. */
let answer: ((checkpoint: KnownCheckpoint | undefined) => void) | undefined;

function nextCheckpoint(): Promise<KnownCheckpoint | undefined> {
  send({ kind: 'next checkpoint' });
  return new Promise((resolve) => (answer = resolve));
}

async function check(head: HeadRow, covered: bigint, tables: readonly (TableToSum | undefined)[]): Promise<void> {
  const findings = new Findings();
  const log = new LogCheck(head, findings, nextCheckpoint);
  const nodes = new TreeNodesCheck(database, findings, head.partition, covered);
  await log.start();
  for await (const page of logPages(database, head.partition, 0n, head.size)) {
    for (const event of page) {
      const waiting = log.examine(event);
      if (waiting) await waiting;
      nodes.examine(event.leaf);
    }
    await nodes.compare();
    send({ kind: 'progress', examined: page.at(-1)!.position });
  }
  const result = await log.finish();
  await nodes.finish();
  const sums: (TableSum | undefined)[] = [];
  for (const table of tables) sums.push(table && (await sumTable(database, head.partition, table)));
  send({ kind: 'done', result, sums, found: findings.snapshot() });
}

// An exception here reaches the main thread as the worker's `error`.
port.on('message', (message: ToThread) => {
  if (message.kind === 'check')
    void check({ ...message.head, ...bytesOf(message.head) }, message.covered, message.tables);
  else if (message.kind === 'checkpoint') answer?.(message.checkpoint && withBytes(message.checkpoint));
  else void database.close().then(() => port.close());
});

/** A buffer arrives as a plain array of bytes. */
function bytesOf({ root, peaks }: HeadRow) {
  return { root: Buffer.from(root), peaks: Buffer.from(peaks) };
}

function withBytes({ size, root }: KnownCheckpoint): KnownCheckpoint {
  return { size, root: Buffer.from(root) };
}
