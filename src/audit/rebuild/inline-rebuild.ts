import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { EventLog, type InlineProjection, type RecordedEvent, toRecorded } from '../../event-store/index.js';
import { Database, HOLD_OFF_MIGRATIONS, ownerClient } from '../../platform/database/index.js';
import { LogReader } from '../log/log-reader.js';
import { PartitionReplay } from '../verify/partition-replay.js';
import { Findings, show } from '../verify/report.js';
import { differingField } from '../verify/projections/same-row.js';
import { sumTable } from '../verify/projections/sum-table.js';
import { assertRebuildable } from '../own-version.js';

/** A corrected row, before and after. */
export interface Correction {
  readonly projection: string;
  readonly partition: number;
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

const BUDGET = 16_000;

/**
 * Compares inline projections with a replay and corrects the rows that differ, under the lock of the partition's head:
 * no command decides meanwhile, and none reads a partial correction. Needs the database's owner.
 */
@Injectable()
export class InlineRebuild {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly reader: LogReader,
  ) {}

  /** One scan of the log serves all projections. */
  async *rebuild(
    projections: readonly InlineProjection[],
    databaseUrl: string,
    onProgress: (done: bigint, total: bigint) => void,
  ): AsyncGenerator<Correction, void, undefined> {
    const heads = await this.log.heads();
    const total = [...heads.values()].reduce((sum, size) => sum + size, 0n);
    let before = 0n;
    for (const [partition, size] of heads) {
      const done = before;
      const wrong = await this.#wrongKeys(projections, partition, size, (at) => onProgress(done + at, total));
      before += size;
      for (const [projection, keys] of wrong) {
        if (keys.size > 0) yield* await this.#correct(projection, partition, keys, databaseUrl);
      }
    }
  }

  async #wrongKeys(
    projections: readonly InlineProjection[],
    partition: number,
    size: bigint,
    progress: (at: bigint) => void,
  ): Promise<Map<InlineProjection, Set<string>>> {
    const folder = await mkdtemp(join(tmpdir(), 'ledger-rebuild-'));
    const wrong = new Map(projections.map((projection) => [projection, new Set<string>()]));
    const { database, reader } = this;
    try {
      const replay = new PartitionReplay({
        ...{ database, reader, partition, size, folder, budget: BUDGET, inline: projections },
        findings: new Findings(),
        following: [],
        reached: new Map(),
        checksPostings: false,
        onWrong: (projection, key) => wrong.get(projection)!.add(key),
        onFault: (error) => {
          throw error;
        },
      });
      // Tables and log are read concurrently: each waits for the database in turn.
      const sums = Promise.all(
        replay.tables.map(async (table) => table && (await sumTable(database, partition, table))),
      );
      sums.catch(() => undefined);
      await replay.run(progress);
      await replay.finish(await sums);
      return wrong;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Replays the wrong rows once more, up to the head, which is then locked for the last step. */
  async #correct<Row>(
    projection: InlineProjection<Row>,
    partition: number,
    keys: ReadonlySet<string>,
    databaseUrl: string,
  ): Promise<Correction[]> {
    const rows = new Map<string, Row>();
    let position = 0n;
    const replayTo = async (to: bigint) => {
      for await (const page of this.reader.pages(partition, position, to)) {
        for (const event of page) {
          evolveInto(rows, projection, toRecorded(event), keys);
          position = event.position;
        }
      }
    };
    await replayTo((await this.log.heads()).get(partition)!);
    const client = ownerClient(databaseUrl, 'payments rebuild');
    await client.connect();
    try {
      await client.query('begin');
      await client.query(HOLD_OFF_MIGRATIONS);
      await assertRebuildable(this.database);
      const locked = await client.query<{ position: string }>(
        'update log_head set corrections = corrections + 1 where partition = $1 returning position',
        [partition],
      );
      await replayTo(BigInt(locked.rows[0]!.position));
      const corrections = await correctRows(client, projection, partition, keys, rows);
      await client.query('commit');
      return corrections;
    } finally {
      // Ending the connection rolls back what was not committed.
      await client.end();
    }
  }
}

function evolveInto<Row>(
  rows: Map<string, Row>,
  projection: InlineProjection<Row>,
  event: RecordedEvent,
  keys: ReadonlySet<string>,
): void {
  for (const key of projection.keysOf(event)) {
    if (keys.has(key)) rows.set(key, projection.evolve(rows.get(key), event, key));
  }
}

/** A wrong row is deleted and inserted again: an update writes only the fields that events change. */
async function correctRows<Row>(
  client: Client,
  projection: InlineProjection<Row>,
  partition: number,
  keys: ReadonlySet<string>,
  rows: ReadonlyMap<string, Row>,
): Promise<Correction[]> {
  const { rows: raw } = await client.query(projection.load(partition, [...keys]));
  const present = new Map(raw.map((one) => projection.parse(one as never)).map((row) => [projection.keyOf(row), row]));
  const wrong = [...keys].filter((key) => differingField(rows.get(key), present.get(key)) !== undefined);
  if (wrong.length === 0) return [];
  for (const statement of projection.remove(partition, wrong)) await client.query(statement);
  const inserted = wrong.flatMap((key) => rows.get(key) ?? []);
  if (inserted.length > 0) {
    for (const statement of projection.save(partition, { inserted, updated: [] })) await client.query(statement);
  }
  return wrong.map((key) => ({
    projection: projection.name,
    partition,
    key,
    before: show(present.get(key)),
    after: show(rows.get(key)),
  }));
}
