import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import {
  type InlineProjection,
  InlineProjections,
  isAsyncProjection,
  type RecordedEvent,
  Subscriptions,
  toRecorded,
} from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { CheckpointKey } from '../checkpoints/checkpoint-key.js';
import { CheckpointMemory } from '../checkpoints/checkpoint-memory.js';
import { CheckpointStore } from '../checkpoints/checkpoint-store.js';
import { type NoteVerifier, parseCheckpoint } from '../checkpoints/note.js';
import { LogReader, type ScannedEvent } from '../log-reader.js';
import { AsyncProjectionCheck } from './async-projection-check.js';
import { KnownCheckpoints } from './known-checkpoints.js';
import { type HeadRow, LogCheck } from './log-check.js';
import { checkSum, postingsFold } from './postings-fold.js';
import { checkProjection } from './projection-check.js';
import { Findings, type PartitionSummary, show, type VerifyReport } from './report.js';
import { SpillingFold } from './spilling-fold.js';
import { checkStreams } from './streams-check.js';

export interface VerifyOptions {
  /** Checkpoints from elsewhere (witnesses, an earlier copy), as signed notes. */
  readonly notes?: readonly string[];
  /** Keys that may have signed checkpoints, beside the configured one. */
  readonly verifiers?: readonly NoteVerifier[];
  /** Told now and then how many events of how many were examined. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
  /** Rows of one projection in memory; what does not fit goes to temporary files. */
  readonly budget?: number;
}

const BUDGET = 16_000;

/** Verifies everything that can be verified from the log. Reads only: a copy of the database will do. */
@Injectable()
export class Verifier {
  constructor(
    private readonly database: Database,
    private readonly reader: LogReader,
    private readonly projections: InlineProjections,
    private readonly subscriptions: Subscriptions,
    private readonly key: CheckpointKey,
    private readonly checkpoints: CheckpointStore,
    private readonly memory: CheckpointMemory,
  ) {}

  async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    const startedAt = new Date();
    const started = performance.now();
    const findings = new Findings();
    const folder = await mkdtemp(join(tmpdir(), 'ledger-verify-'));
    try {
      const sizes = await this.#heads();
      const total = sizes.reduce((sum, { size }) => sum + size, 0n);
      const partitions: PartitionSummary[] = [];
      let before = 0n;
      for (const { partition } of sizes) {
        const done = before;
        const progress = (examined: bigint) => options.onProgress?.(done + examined, total);
        const own = join(folder, String(partition));
        await mkdir(own);
        const summary = await this.#verifyPartition(partition, own, findings, options, progress);
        partitions.push(summary);
        before += summary.events;
      }
      const { divergences, examined, count } = findings;
      const seconds = (performance.now() - started) / 1000;
      const first = divergences[0] ?? null;
      return { ok: count === 0, startedAt, seconds, partitions, examined, divergenceCount: count, first, divergences };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #verifyPartition(
    partition: number,
    folder: string,
    findings: Findings,
    options: VerifyOptions,
    progress: (examined: bigint) => void,
  ): Promise<PartitionSummary> {
    const kept = await this.memory.recall(partition);
    const reached = await this.#reached(partition);
    // A checkpoint signed after this moment covers events that are not looked at.
    const newest = (await this.checkpoints.newest(partition))?.size ?? 0n;
    const head = (await this.#heads(partition))[0]!;
    const known = this.#knownCheckpoints(partition, kept, newest, findings, options);
    const log = new LogCheck(head, findings, async () => (await known.next()).value ?? undefined);
    const budget = options.budget ?? BUDGET;
    const fold = <Row>(folded: ConstructorParameters<typeof SpillingFold<Row>>[0]) =>
      new SpillingFold<Row>(folded, folder, budget, (error, event, key) =>
        reportFault(findings, event, key === undefined ? folded.name : `${folded.name} ${key}`, error),
      );
    const replays = this.projections.all().map((projection) => ({ projection, fold: fold(projection) }));
    const postings = fold(postingsFold(findings));
    const folds = [...replays.map((replay) => replay.fold), postings];
    const following = this.subscriptions
      .all()
      .filter(isAsyncProjection)
      .map((one) => {
        const onFault = (error: unknown, event: RecordedEvent) => reportFault(findings, event, one.name, error);
        const upTo = reached.get(one.name) ?? 0n;
        return new AsyncProjectionCheck(one, this.database, partition, upTo, findings, onFault);
      });

    await log.start();
    for await (const page of this.reader.pages(partition, 0n, head.size)) {
      const events: RecordedEvent[] = [];
      for (const event of page) {
        await log.look(event);
        const recorded = read(event, findings);
        if (!recorded) continue;
        try {
          checkSum(recorded, findings);
        } catch (error) {
          reportFault(findings, recorded, 'postings', error);
        }
        for (const one of folds) one.apply(recorded);
        events.push(recorded);
      }
      for (const check of following) await check.look(events);
      progress(page.at(-1)!.position);
    }
    const { root, sealed, checkpoints } = await log.finish();
    for (const check of following) await check.finish();
    for (const _row of postings.rows()) continue;
    await checkStreams(this.database, partition, findings);
    for (const replay of replays) await this.#compare(replay, partition, folder, budget, head.size, findings);
    return { partition, events: head.size, root: root.toString('hex'), checkpoints, sealed };
  }

  async #compare<Row>(
    { projection, fold }: { projection: InlineProjection<Row>; fold: SpillingFold<Row> },
    partition: number,
    folder: string,
    budget: number,
    after: bigint,
    findings: Findings,
  ): Promise<void> {
    const { database, reader } = this;
    const heads = () => this.#heads(partition);
    await checkProjection(projection, fold.rows(), {
      database,
      partition,
      findings,
      folder,
      budget,
      since: async function* () {
        const [now] = await heads();
        for await (const page of reader.pages(partition, after, now!.size)) yield page.map(toRecorded);
      },
    });
  }

  #knownCheckpoints(
    partition: number,
    kept: string | undefined,
    newest: bigint,
    findings: Findings,
    { notes = [], verifiers = [] }: VerifyOptions,
  ) {
    const own = this.key.verifierOf(partition);
    const given = notes.filter((note) => isOfLog(note, own.name));
    const names = [own, ...verifiers.filter(({ name }) => name === own.name)];
    const outside = [...given, ...(kept === undefined ? [] : [kept])];
    const load = async (after: bigint, limit: number) =>
      (await this.checkpoints.after(partition, after, limit)).filter(({ size }) => size <= newest);
    return new KnownCheckpoints(partition, names, findings, load, outside).all();
  }

  async #heads(partition: number | null = null): Promise<HeadRow[]> {
    const rows = await this.database.backgroundQuery<{
      partition: number;
      position: string;
      root: Buffer;
      peaks: Buffer;
      time: Date;
    }>({
      name: 'audit-heads',
      text: `
        select partition, position, root, peaks, time from log_head
        where $1::int is null or partition = $1
        order by partition`,
      values: [partition],
    });
    return rows.map(({ position, ...row }) => ({ ...row, size: BigInt(position) }));
  }

  async #reached(partition: number): Promise<Map<string, bigint>> {
    const rows = await this.database.backgroundQuery<{ consumer: string; position: string }>({
      name: 'audit-subscriptions',
      text: 'select consumer, position from subscription where partition = $1',
      values: [partition],
    });
    return new Map(rows.map(({ consumer, position }) => [consumer, BigInt(position)]));
  }
}

function isOfLog(note: string, origin: string): boolean {
  return parseCheckpoint(note).origin === origin;
}

function read(event: ScannedEvent, findings: Findings): RecordedEvent | undefined {
  try {
    return toRecorded(event);
  } catch (error) {
    reportFault(findings, event, null, error);
    return undefined;
  }
}

function reportFault(
  findings: Findings,
  { partition, position }: Pick<RecordedEvent, 'partition' | 'position'>,
  subject: string | null,
  error: unknown,
): void {
  findings.report({
    check: 'replay',
    partition,
    position,
    subject,
    field: 'data',
    expected: 'an event that can be replayed',
    found: show((error as Error).message),
  });
}
