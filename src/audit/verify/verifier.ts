import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { StoredCredentials } from '../../auth/index.js';
import { PersonalDataCodec, REGISTRY_PARTITION, StandingWork } from '../../event-store/index.js';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { Database, laterMigrations, sqlState } from '../../platform/database/index.js';
import { CheckpointKey } from '../checkpoints/checkpoint-key.js';
import { CheckpointFiles } from '../checkpoints/checkpoint-files.js';
import { Attempts } from './attempts.js';
import { AccountNumbersCheck, NUMBERS } from './secrets/account-numbers-check.js';
import { checkCredentials, CREDENTIALS } from './secrets/credentials-check.js';
import { checkFingerprints, FINGERPRINTS, takeLookupKey } from './secrets/fingerprints-check.js';
import { checkGuards } from './guards/guards-check.js';
import { checkNulls } from './guards/nulls-check.js';
import { readHeads, readNewestTime } from './log/log-state.js';
import { reportMissing } from './log/missing-partitions.js';
import { checkWithoutHead } from './log/outside-heads.js';
import { type PartitionOptions, PartitionVerifier } from './partition-verifier.js';
import { checkNights, DAYS } from './intentions/nights-check.js';
import { Findings, type PartitionSummary, type VerifyReport } from './report.js';
import { ThreadedLogCheck } from './log/threaded-log-check.js';

export interface VerifyOptions extends PartitionOptions {
  /** Of the verified database: a second thread reads the log by itself. */
  readonly databaseUrl: string;
  /** Called now and then with the events examined and their total. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
}

const NOT_ALL = 'not all was compared: there is null where none may be. Put it right, and verify again';
const NO_LOOKUPS =
  'the look-ups of subjects were not compared: their key cannot be read. Give the MASTER_KEY of this database';

/**
 * Verifies everything that can be verified from the log: each partition, and what is about the ledger as a whole. It
 * only reads, so a copy of the database is enough.
 */
@Injectable()
export class Verifier {
  readonly #credentials: StoredCredentials;

  constructor(
    private readonly database: Database,
    private readonly partitionVerifier: PartitionVerifier,
    private readonly standing: StandingWork,
    private readonly key: CheckpointKey,
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
    const later = await laterMigrations(this.database);
    if (later.length > 0) findings.warnings.push(laterVersion(later));
    const report = (partitions: readonly PartitionSummary[], warnings: readonly string[]): VerifyReport => {
      const { divergences, examined, count } = findings;
      const seconds = (performance.now() - started) / 1000;
      const first = divergences[0] ?? null;
      const verdict = { ok: count === 0, divergenceCount: count, first, divergences };
      return { startedAt, seconds, partitions, examined, ...verdict, warnings: [...warnings, ...findings.warnings] };
    };
    const hasNulls = await checkNulls(this.database, findings);
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
      const numbers = new AccountNumbersCheck({ database: this.database, codec: this.codec, findings });
      for (const { partition } of sizes) {
        const done = before;
        const progress = (examined: bigint) => options.onProgress?.(done + examined, total);
        const own = join(folder, String(partition));
        await mkdir(own);
        const run = { ...options, folder: own, log, findings, hasLookupKey, at, onProgress: progress };
        const summary = await this.partitionVerifier.verify(partition, run);
        partitions.push(summary);
        const attempts = new Attempts({ findings, partition });
        await attempts.run(NUMBERS, numbers, () => numbers.examine(partition));
        before += summary.events;
      }
      await this.#checkWhole(findings, numbers, total > 0n, new Date(newest));
      return report(partitions, warningsOf(partitions, hasLookupKey));
    } catch (error) {
      // Whatever came of the database itself is no fault of what is stored.
      if (!hasNulls || sqlState(error) !== undefined) throw error;
      await checkGuards(this.database, findings);
      return report([], [`${NOT_ALL} (${(error as Error).message})`]);
    } finally {
      await log.end();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** What is of no partition, or of all. */
  async #checkWhole(findings: Findings, numbers: AccountNumbersCheck, hasEvents: boolean, newest: Date): Promise<void> {
    const { database } = this;
    const attempts = new Attempts({ findings, partition: REGISTRY_PARTITION });
    await attempts.run(DAYS, checkNights, () => checkNights(database, findings, this.standing.all(), newest));
    await attempts.run(NUMBERS, numbers, () => numbers.examineSequence());
    await checkWithoutHead(database, findings);
    await attempts.run(CREDENTIALS, checkCredentials, () => checkCredentials(database, this.#credentials, findings));
    const used = { MASTER_KEY: hasEvents, KEY_PEPPER: findings.hasSeen(CREDENTIALS) };
    await attempts.run(FINGERPRINTS, checkFingerprints, () =>
      checkFingerprints(database, this.config.secrets, used, findings),
    );
    await checkGuards(database, findings);
  }
}

function laterVersion(migrations: readonly string[]): string {
  return (
    `a later version has migrated the database (${migrations.join(', ')}): what it wrote may be a divergence here. Use its ` +
    '`ledger verify`'
  );
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
