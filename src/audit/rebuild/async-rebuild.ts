import { Injectable } from '@nestjs/common';
import { type AsyncProjection, EventLog, toRecorded } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { LogReader } from '../log/log-reader.js';
import { dropSchema, makeSchema, type Page, ProjectionBuilder } from './projection-builder.js';

/** Fewer events than these are caught up with under the locks of the swap. */
const CLOSE = 500n;

/**
 * Rebuilds async projections beside the live ones, in one scan of the log; they catch up while the service runs, and
 * their tables replace the old ones. Only tables of these projections are written: nothing is sent, and no work is
 * added. Needs the database's owner.
 */
@Injectable()
export class AsyncRebuild {
  constructor(
    private readonly log: EventLog,
    private readonly reader: LogReader,
    private readonly database: Database,
  ) {}

  /**
   * @returns how many events went into each of them. @throws CommandRefused while another rebuild is under way, or
   * after a migration
   */
  async rebuild(
    projections: readonly AsyncProjection[],
    databaseUrl: string,
    onProgress: (done: bigint, total: bigint) => void,
  ): Promise<bigint> {
    const builders = projections.map((projection) => new ProjectionBuilder(projection, databaseUrl));
    const { client } = builders[0]!;
    try {
      for (const builder of builders) await builder.open();
      await makeSchema(client);
      for (const builder of builders) await builder.makeTables();
      const reached = new Map<number, bigint>();
      while (!(await this.#catchUp(builders, reached, onProgress)));
      for (const builder of builders) await builder.swap(this.database, (...range) => this.#pages(...range));
      await dropSchema(client);
      return sum(reached.values());
    } finally {
      // Some may never have connected.
      await Promise.allSettled(builders.map((builder) => builder.client.end()));
    }
  }

  /** @returns whether the rest is small enough for the locks */
  async #catchUp(
    builders: readonly ProjectionBuilder[],
    reached: Map<number, bigint>,
    onProgress: (done: bigint, total: bigint) => void,
  ): Promise<boolean> {
    const heads = await this.log.heads();
    const total = sum(heads.values());
    let left = 0n;
    for (const [partition, target] of heads) {
      const position = reached.get(partition) ?? 0n;
      left += target - position;
      // The database writes one page while the next is parsed.
      let applied: Promise<unknown> = Promise.resolve();
      for await (const page of this.#pages(partition, position, target)) {
        await applied;
        applied = Promise.all(builders.map((builder) => builder.apply(page)));
        applied.catch(() => undefined);
        reached.set(partition, page.upTo);
        onProgress(sum(reached.values()), total);
      }
      await applied;
    }
    return left < CLOSE;
  }

  async *#pages(partition: number, after: bigint, to: bigint): AsyncGenerator<Page, void, undefined> {
    for await (const page of this.reader.pages(partition, after, to)) {
      yield { partition, events: page.map(toRecorded), upTo: page.at(-1)!.position };
    }
  }
}

function sum(sizes: Iterable<bigint>): bigint {
  return [...sizes].reduce((total, size) => total + size, 0n);
}
