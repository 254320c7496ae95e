import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { StoredCredentials } from '../../auth/index.js';
import {
  InlineProjections,
  isAsyncProjection,
  PersonalDataCodec,
  StandingWork,
  Subscriptions,
} from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { CheckpointKey } from '../checkpoints/checkpoint-key.js';
import { CheckpointFiles } from '../checkpoints/checkpoint-files.js';
import { CheckpointStore } from '../checkpoints/checkpoint-store.js';
import { parseWitnessKey } from '../checkpoints/cosignature.js';
import { type NoteVerifier, parseCheckpoint } from '../checkpoints/note.js';
import { LogReader } from '../log/log-reader.js';
import { TREE_CONSUMER } from '../tree/stored-nodes.js';
import { type AddedSums, readAddedSums } from './projections/added-tables-check.js';
import { checkCredentials, CREDENTIALS } from './secrets/credentials-check.js';
import { checkFingerprints, takeLookupKey } from './secrets/fingerprints-check.js';
import { checkGuards } from './guards-check.js';
import { KnownCheckpoints } from './log/known-checkpoints.js';
import { readHeads, readNewestTime, readReached } from './log/log-state.js';
import { reportMissing } from './log/missing-partitions.js';
import { checkBeyondHead, checkFollowersBeyondHead, checkWithoutHead } from './log/outside-heads.js';
import { PartitionReplay } from './partition-replay.js';
import { checkNights } from './projections/nights-check.js';
import { checkTimers } from './projections/work-times.js';
import { Findings, type PartitionSummary, type VerifyReport } from './report.js';
import { checkSecrets } from './secrets/secrets-check.js';
import { checkStreams } from './events/streams-check.js';
import { SubjectKeysCheck } from './secrets/subject-keys-check.js';
import { ThreadedLogCheck } from './log/threaded-log-check.js';

export interface VerifyOptions {
  /** Of the verified database: a second thread reads the log by itself. */
  readonly databaseUrl: string;
  /** Checkpoints from outside (witnesses, an earlier copy), as signed notes. */
  readonly notes?: readonly string[];
  /** Keys that may have signed checkpoints, besides the configured one. */
  readonly verifiers?: readonly NoteVerifier[];
  /** Called now and then with the events examined and their total. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
  /** Rows of one projection in memory; what does not fit goes to temporary files. */
  readonly budget?: number;
  /** Opens every sealed value, not one of each subject. */
  readonly deep?: boolean;
}

const BUDGET = 16_000;
const NO_LOOKUPS =
  'the look-ups of subjects were not compared: their key cannot be read. Give the MASTER_KEY of this database';

/** Verifies everything that can be verified from the log. It only reads, so a copy of the database is enough. */
@Injectable()
export class Verifier {
  readonly #credentials: StoredCredentials;

  constructor(
    private readonly database: Database,
    private readonly reader: LogReader,
    private readonly projections: InlineProjections,
    private readonly subscriptions: Subscriptions,
    private readonly standing: StandingWork,
    private readonly key: CheckpointKey,
    private readonly checkpoints: CheckpointStore,
    private readonly files: CheckpointFiles,
    private readonly codec: PersonalDataCodec,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.#credentials = new StoredCredentials(config.secrets.keyPepper, codec);
  }

  async verify(options: VerifyOptions): Promise<VerifyReport> {
    const startedAt = new Date();
    const started = performance.now();
    const findings = new Findings();
    const folder = await mkdtemp(join(tmpdir(), 'ledger-verify-'));
    const log = new ThreadedLogCheck(options.databaseUrl);
    try {
      // Read first: a partition that is created meanwhile must not look like a missing one.
      const kept = await this.files.partitions();
      const sizes = await readHeads(this.database);
      reportMissing(findings, {
        present: sizes.map(({ partition }) => partition),
        configured: this.config.partitions,
        kept,
        notes: options.notes ?? [],
        originOf: (partition) => this.key.originOf(partition),
      });
      const hasLookupKey = await takeLookupKey(this.database, this.codec, findings);
      // Where a clock was ahead, the log still is, and so is the work.
      const newest = await readNewestTime(this.database);
      const at = () => new Date(Math.max(Date.now(), newest));
      const total = sizes.reduce((sum, { size }) => sum + size, 0n);
      const partitions: PartitionSummary[] = [];
      let before = 0n;
      for (const { partition } of sizes) {
        const done = before;
        const progress = (examined: bigint) => options.onProgress?.(done + examined, total);
        const own = join(folder, String(partition));
        await mkdir(own);
        const run = { ...options, hasLookupKey, at };
        const summary = await this.#verifyPartition(partition, log, own, findings, run, progress);
        partitions.push(summary);
        before += summary.events;
      }
      await checkNights(this.database, findings, this.standing.all(), new Date(newest));
      await checkWithoutHead(this.database, findings);
      await checkCredentials(this.database, this.#credentials, findings);
      const used = { MASTER_KEY: total > 0n, KEY_PEPPER: findings.hasSeen(CREDENTIALS) };
      await checkFingerprints(this.database, this.config.secrets, used, findings);
      await checkGuards(this.database, findings);
      const { divergences, examined, count } = findings;
      const seconds = (performance.now() - started) / 1000;
      const first = divergences[0] ?? null;
      const verdict = { ok: count === 0, divergenceCount: count, first, divergences };
      const warnings = [...warningsOf(partitions, hasLookupKey), ...findings.warnings];
      return { startedAt, seconds, partitions, examined, ...verdict, warnings };
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
    options: VerifyOptions & { readonly hasLookupKey: boolean; readonly at: () => Date },
    progress: (examined: bigint) => void,
  ): Promise<PartitionSummary> {
    const { database } = this;
    const kept = await this.files.newest(partition);
    const followers = this.subscriptions.all();
    const following = followers.filter(isAsyncProjection);
    const added = new Map<string, AddedSums>();
    for (const { name, adds } of following) {
      if (adds) added.set(name, await readAddedSums(database, adds, partition));
    }
    // After those sums: events up to their positions are examined.
    const reached = await readReached(database, partition);
    // A checkpoint signed after this moment covers events that are not examined.
    const newest = (await this.checkpoints.newest(partition))?.size ?? 0n;
    const head = (await readHeads(database, partition))[0]!;
    const known = this.#knownCheckpoints(partition, kept, newest, findings, options);
    const inOrder = known.all();
    const streams = checkStreams(database, partition, findings);
    streams.catch(() => undefined);
    const { deep = false, hasLookupKey, at } = options;
    const subjects = new SubjectKeysCheck({ database, codec: this.codec, findings, partition, deep, hasLookupKey });
    const replay = new PartitionReplay({
      ...{ database, reader: this.reader, findings, partition, folder, reached },
      size: head.size,
      budget: options.budget ?? BUDGET,
      inline: this.projections.all(),
      ...{ following, added, sagas: followers, at },
      checksPostings: true,
      onPage: (page) => subjects.examine(page),
    });

    let hashed = 0n;
    let replayed = 0n;
    const report = () => progress(hashed < replayed ? hashed : replayed);
    const checked = log.check(
      head,
      reached.get(TREE_CONSUMER) ?? 0n,
      replay.tables,
      async () => (await inOrder.next()).value ?? undefined,
      (examined) => {
        hashed = examined;
        report();
      },
    );
    // It is awaited after the replay; a rejection meanwhile must not end the process.
    checked.catch(() => undefined);
    await replay.run((position) => {
      replayed = position;
      report();
    });
    await streams;
    await checkBeyondHead(database, partition, findings);
    await checkFollowersBeyondHead(database, partition, findings);
    await checkSecrets(database, this.codec, findings, partition);
    const { result, sums, found } = await checked;
    findings.add(found);
    await replay.finish(sums);
    const ofEvents = followers.flatMap(({ intends }) => [...(intends?.kinds.keys() ?? [])]);
    await checkTimers({ database, findings, partition }, ofEvents, at());
    const { root, sealed, checkpoints } = result;
    return { partition, events: head.size, root: root.toString('hex'), checkpoints, outside: known.outside, sealed };
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
    const { witnessKey } = this.config.checkpoints;
    const witness = witnessKey === undefined ? undefined : parseWitnessKey(witnessKey);
    return new KnownCheckpoints(partition, names, findings, load, outside, witness);
  }
}

function isOfLog(note: string, origin: string): boolean {
  return parseCheckpoint(note).origin === origin;
}

function warningsOf(partitions: readonly PartitionSummary[], hasLookupKey: boolean): string[] {
  return [...withoutCheckpoint(partitions), ...(hasLookupKey ? [] : [NO_LOOKUPS])];
}

/** With write access to the database one can forge log and checkpoints: only checkpoints from outside show that. */
function withoutCheckpoint(partitions: readonly PartitionSummary[]): string[] {
  const alone = partitions.filter(({ events, outside }) => events > 0n && outside === 0);
  if (alone.length === 0) return [];
  const numbers = alone.map(({ partition }) => partition).join(', ');
  return [
    `no checkpoint from outside the database was held against partition ${numbers}: a history that was cut or made anew ` +
      'would not show. Give CHECKPOINT_DIR or --checkpoint',
  ];
}
