import {
  failedStatement,
  type PipelinedConnection,
  type PipelinedStatement,
  type Row,
} from '@partner-payments/pg-pipeline';
import { classifyFault, isConnectionFault } from './faults.js';

/** The largest group: a slow statement delays the others of its group. */
const MAX_GROUP = 64;

interface Waiting {
  readonly statement: PipelinedStatement;
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches keyed reads of many requests over few connections: reads that arrive while a group is in progress form the
 * next one, so that a read costs a fraction of a round trip. For keyed reads only, which take the server microseconds.
 */
export class LookUps {
  readonly #queue: Waiting[] = [];
  readonly #connections: (PipelinedConnection | undefined)[];
  readonly #busy = new Set<number>();

  constructor(
    private readonly open: () => Promise<PipelinedConnection>,
    connections: number,
  ) {
    this.#connections = Array.from({ length: connections }, () => undefined);
  }

  get waiting(): number {
    return this.#queue.length;
  }

  find(statement: PipelinedStatement): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ statement, resolve, reject });
      const free = this.#connections.findIndex((_connection, slot) => !this.#busy.has(slot));
      if (free >= 0) void this.#drain(free);
    });
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#connections.flatMap((connection) => connection?.close() ?? []));
  }

  async #drain(slot: number): Promise<void> {
    this.#busy.add(slot);
    // Requests received in the same event-loop turn join the group.
    await new Promise((resume) => setImmediate(resume));
    while (this.#queue.length > 0) await this.#answer(slot, this.#queue.splice(0, MAX_GROUP));
    this.#busy.delete(slot);
  }

  async #answer(slot: number, group: readonly Waiting[]): Promise<void> {
    try {
      const connection = await this.#connect(slot);
      const results = await connection.run(group.map(({ statement }) => statement));
      group.forEach(({ resolve }, i) => resolve(results[i]!.rows as Row[]));
    } catch (error) {
      if (isConnectionFault(error)) {
        this.#connections[slot]?.destroy();
        this.#connections[slot] = undefined;
      }
      for (const others of othersThan(group, error)) await this.#answer(slot, others);
    }
  }

  async #connect(slot: number): Promise<PipelinedConnection> {
    let connection = this.#connections[slot];
    if (!connection?.usable) this.#connections[slot] = connection = await this.open();
    return connection;
  }
}

/** Refuses those of a group that an error is of. @returns the groups in which the others are asked again */
function othersThan(group: readonly Waiting[], error: unknown): Waiting[][] {
  const failed = group[failedStatement(error) ?? group.length];
  if (failed === undefined || group.length === 1 || isConnectionFault(error)) {
    group.forEach(({ reject }) => reject(error));
    return [];
  }
  // One statement is at fault: each is asked by itself, so that only that one fails.
  if (classifyFault(error) !== 'transient') return group.map((one) => [one]);
  // Others of its text would wait for the same lock, each as long again, and whatever comes after them too.
  const isStuck = ({ statement }: Waiting) => statement.text === failed.statement.text;
  group.filter(isStuck).forEach(({ reject }) => reject(error));
  const others = group.filter((one) => !isStuck(one));
  return others.length > 0 ? [others] : [];
}
