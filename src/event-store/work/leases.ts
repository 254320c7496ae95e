import { randomUUID } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import type { Database } from '../../platform/database/index.js';
import type { Statement } from '../log/statement.js';
import type { Running } from './running-work.js';
import type { SingleFlight } from './single-flight.js';
import type { WorkRef, WorkSource } from './work-source.js';

const LEASE_MS = 6_000;
export const RENEW_MS = 2_000;
/** For so long after a process has begun an item, no other can have begun it. */
export const UNDISTURBED_MS = LEASE_MS - RENEW_MS;

/** What this process holds against others: the items that its workers have in progress, under one name. */
export class Leases {
  /** The name, which fences what work writes to its row. */
  readonly lease = randomUUID();

  constructor(
    private readonly database: Database,
    private readonly flights: SingleFlight,
  ) {}

  /** @returns rows of the items that were still free: nobody else begins them */
  claim(source: WorkSource<WorkRef>, partition: number, ids: readonly string[]): Promise<QueryResultRow[]> {
    const now = new Date();
    const until = new Date(now.getTime() + LEASE_MS);
    return this.database.backgroundQuery(source.claim(partition, ids, this.lease, now, until));
  }

  async renew(workers: readonly Running[]): Promise<void> {
    const until = new Date(Date.now() + LEASE_MS);
    await this.#forItems(workers, (source, partition, ids) => source.renew(partition, ids, this.lease, until));
  }

  async release(workers: readonly Running[]): Promise<void> {
    await this.#forItems(workers, (source, partition, ids) => source.release(partition, ids, this.lease));
  }

  async #forItems(
    workers: readonly Running[],
    statement: (source: WorkSource<WorkRef>, partition: number, ids: readonly string[]) => Statement,
  ): Promise<void> {
    const held = workers.flatMap(({ worker: { source }, items }) =>
      [...Map.groupBy(items.values(), (item) => item.partition)].map(([partition, group]) =>
        this.flights.run(`leases of ${source.name} in ${partition}`, async () => {
          const ids = group.map(({ id }) => id);
          await this.database.backgroundQuery(statement(source, partition, ids));
        }),
      ),
    );
    await Promise.all(held);
  }
}
