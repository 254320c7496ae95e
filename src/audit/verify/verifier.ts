import { randomBytes } from 'node:crypto';
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
import { FixedRowsCheck, isFixed } from './fixed-rows-check.js';
import { KnownCheckpoints } from './known-checkpoints.js';
import { readHeads, readReached } from './log-state.js';
import { checkSum, postingsFold } from './postings-fold.js';
import { checkProjection } from './projection-check.js';
import { Findings, type PartitionSummary, show, type VerifyReport } from './report.js';
import { SpillingFold } from './spilling-fold.js';
import { checkStreams } from './streams-check.js';
import { ThreadedLogCheck } from './threaded-log-check.js';

export interface VerifyOptions {
  /** Of the database that is verified: a second thread reads the log by itself. */
  readonly databaseUrl: string;
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

  async verify(options: VerifyOptions): Promise<VerifyReport> {
    const startedAt = new Date();
    const started = performance.now();
    const findings = new Findings();
    const folder = await mkdtemp(join(tmpdir(), 'ledger-verify-'));
    const log = new ThreadedLogCheck(options.databaseUrl);
    try {
      const sizes = await readHeads(this.database);
      const total = sizes.reduce((sum, { size }) => sum + size, 0n);
      const partitions: PartitionSummary[] = [];
      let before = 0n;
      for (const { partition } of sizes) {
        const done = before;
        const progress = (examined: bigint) => options.onProgress?.(done + examined, total);
        const own = join(folder, String(partition));
        await mkdir(own);
        const summary = await this.#verifyPartition(partition, log, own, findings, options, progress);
        partitions.push(summary);
        before += summary.events;
      }
      const { divergences, examined, count } = findings;
      const seconds = (performance.now() - started) / 1000;
      const first = divergences[0] ?? null;
      return { ok: count === 0, startedAt, seconds, partitions, examined, divergenceCount: count, first, divergences };
    } finally {
      await log.end();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #verifyPartition(
    partition: number,
    log: ThreadedLogCheck,
    folder: string,
    findings: Findings,
    options: VerifyOptions,
    progress: (examined: bigint) => void,
  ): Promise<PartitionSummary> {
    const { database } = this;
    const kept = await this.memory.recall(partition);
    const reached = await readReached(database, partition);
    // A checkpoint signed after this moment covers events that are not looked at.
    const newest = (await this.checkpoints.newest(partition))?.size ?? 0n;
    const head = (await readHeads(database, partition))[0]!;
    const known = this.#knownCheckpoints(partition, kept, newest, findings, options);
    const streams = checkStreams(database, partition, findings);
    streams.catch(() => undefined);
    const budget = options.budget ?? BUDGET;
    const key = randomBytes(32).toString('hex');
    const fold = <Row>(folded: ConstructorParameters<typeof SpillingFold<Row>>[0]) =>
      new SpillingFold<Row>(folded, folder, budget, (error, event, key) =>
        reportFault(findings, event, key === undefined ? folded.name : `${folded.name} ${key}`, error),
      );
    const inline = this.projections.all();
    const replays = inline.filter((one) => !isFixed(one)).map((projection) => ({ projection, fold: fold(projection) }));
    const fixed = inline.filter(isFixed).map((projection) => {
      const onFault = (error: unknown, event: RecordedEvent) => reportFault(findings, event, projection.name, error);
      return new FixedRowsCheck(projection, key, onFault);
    });
    const postings = fold(postingsFold(findings));
    const folds = [...replays.map((replay) => replay.fold), postings];
    const following = this.subscriptions
      .all()
      .filter(isAsyncProjection)
      .map((one) => {
        const onFault = (error: unknown, event: RecordedEvent) => reportFault(findings, event, one.name, error);
        const upTo = reached.get(one.name) ?? 0n;
        const again = () => this.#readable(partition, upTo < head.size ? upTo : head.size);
        return new AsyncProjectionCheck(one, { database, partition, findings, upTo, key, again, onFault });
      });

    let hashed = 0n;
    let replayed = 0n;
    const least = () => (hashed < replayed ? hashed : replayed);
    const checked = log.check(
      head,
      [
        ...following.map(({ projection, upTo }) => ({ scan: projection.fixed?.scan, upTo, key })),
        ...fixed.map(({ projection }) => ({ scan: projection.fixed.scan, upTo: head.size, key })),
      ],
      async () => (await known.next()).value ?? undefined,
      (examined) => {
        hashed = examined;
        progress(least());
      },
    );
    // It is waited for when the replay is over; a failure meanwhile must not end the process.
    checked.catch(() => undefined);

    for await (const scanned of this.reader.pages(partition, 0n, head.size)) {
      const page = scanned.flatMap((event) => read(event, findings) ?? []);
      for (const event of page) {
        try {
          checkSum(event, findings);
        } catch (error) {
          reportFault(findings, event, 'postings', error);
        }
        for (const one of folds) one.apply(event);
        for (const check of fixed) check.look(event);
      }
      for (const check of following) await check.look(page);
      replayed = scanned.at(-1)!.position;
      progress(least());
    }
    for (const _row of postings.rows()) continue;
    for (const replay of replays) await this.#compare(replay, partition, folder, budget, head.size, findings);
    await streams;
    const { result, sums, found } = await checked;
    findings.add(found);
    for (const [i, check] of following.entries()) await check.finish(sums[i]);
    for (const [i, check] of fixed.entries()) {
      if (check.isMatched(sums[following.length + i], findings)) continue;
      const { projection } = check;
      const replay = { projection, fold: fold(projection) };
      for await (const page of this.#readable(partition, head.size)) page.forEach((event) => replay.fold.apply(event));
      await this.#compare(replay, partition, folder, budget, head.size, findings);
    }
    const { root, sealed, checkpoints } = result;
    return { partition, events: head.size, root: root.toString('hex'), checkpoints, sealed };
  }

  /** What can be replayed of the events up to a position. */
  async *#readable(partition: number, to: bigint): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    const reported = new Findings();
    for await (const page of this.reader.pages(partition, 0n, to)) {
      yield page.flatMap((event) => read(event, reported) ?? []);
    }
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
    const heads = () => readHeads(this.database, partition);
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
