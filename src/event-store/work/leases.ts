import { randomUUID } from 'node:crypto';
import type { QueryResultRow } from 'pg';
import type { Database } from '../../platform/database/index.js';
import type { Statement } from '../log/statement.js';
import { moment } from './held-lease.js';
import type { Running } from './running-work.js';
import type { SingleFlight } from './single-flight.js';
import type { ClaimedWork, WorkSource } from './work-source.js';

/** What this process holds against others: the items that its workers have in progress, under one name. */
export class Leases {
  /** Fences what work writes to its row. */
  readonly name = randomUUID();

  constructor(
    private readonly database: Database,
    private readonly flights: SingleFlight,
  ) {}

  /** @returns rows of the items that were still free: nobody else begins them */
  claim(source: WorkSource<ClaimedWork>, partition: number, ids: readonly string[]): Promise<QueryResultRow[]> {
    return this.database.backgroundQuery(source.claim(partition, ids, this.name, new Date()));
  }

  async renew(workers: readonly Running[]): Promise<void> {
    await this.#forItems('renewal', workers, async ({ worker, items }, partition, ids) => {
      const at = moment();
      const held = await this.#run(worker.source.renew(partition, ids, this.name));
      for (const { id } of held) items.get(id)?.lease.confirm(at);
    });
  }

  async release(workers: readonly Running[]): Promise<void> {
    await this.#forItems('release', workers, async ({ worker: { source } }, partition, ids) => {
      await this.#run(source.release(partition, ids, this.name));
    });
  }

  #run(statement: Statement): Promise<{ id: string }[]> {
    return this.database.backgroundQuery<{ id: string }>(statement);
  }

  /** @param what is done: a renewal that hangs does not keep a process that ends from releasing what it holds */
  async #forItems(
    what: string,
    workers: readonly Running[],
    run: (running: Running, partition: number, ids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const held = workers.flatMap((running) =>
      [...Map.groupBy(running.items.values(), ({ partition }) => partition)].map(([partition, group]) =>
        this.flights.run(`${what} of leases of ${running.worker.source.name} in ${partition}`, () =>
          run(
            running,
            partition,
            group.map(({ id }) => id),
          ),
        ),
      ),
    );
    await Promise.all(held);
  }
}
