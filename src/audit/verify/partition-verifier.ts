import { Injectable } from '@nestjs/common';
import {
  type AsyncProjection,
  InlineProjections,
  isAsyncProjection,
  PersonalDataCodec,
  Subscriptions,
} from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';
import { CheckpointFiles } from '../checkpoints/checkpoint-files.js';
import { CheckpointKey } from '../checkpoints/checkpoint-key.js';
import { CheckpointStore } from '../checkpoints/checkpoint-store.js';
import { type NoteVerifier, parseCheckpoint } from '../checkpoints/note.js';
import { LogReader } from '../log/log-reader.js';
import { TREE_CONSUMER } from '../tree/stored-nodes.js';
import { Attempts } from './attempts.js';
import { checkStreams } from './events/streams-check.js';
import { checkTimers, WORK } from './intentions/work-times.js';
import { KnownCheckpoints } from './log/known-checkpoints.js';
import { readHeads, readReached } from './log/log-state.js';
import { checkBeyondHead, checkFollowersBeyondHead } from './log/outside-heads.js';
import type { ThreadedLogCheck } from './log/threaded-log-check.js';
import { PartitionReplay } from './partition-replay.js';
import { type AddedSums, readAddedSums } from './projections/added-tables-check.js';
import type { Findings, PartitionSummary } from './report.js';
import { checkDirectoryWords, WORDS } from './secrets/directory-words-check.js';
import { ExpectedPayersCheck, PAYERS } from './secrets/expected-payers-check.js';
import { checkSecrets, SECRETS } from './secrets/secrets-check.js';
import { checkStoredKeys } from './secrets/stored-keys-check.js';
import { SUBJECT_KEYS, SubjectKeysCheck } from './secrets/subject-keys-check.js';

export interface PartitionOptions {
  /** Checkpoints from outside (witnesses, an earlier copy), as signed notes. */
  readonly notes?: readonly string[];
  /** Keys that may have signed checkpoints, besides the configured one. */
  readonly verifiers?: readonly NoteVerifier[];
  /** Rows of one projection in memory; what does not fit goes to temporary files. */
  readonly budget?: number;
  /** Opens every sealed value, not one of each subject. */
  readonly deep?: boolean;
}

/** What a partition is verified with. */
interface PartitionRun extends PartitionOptions {
  readonly log: ThreadedLogCheck;
  readonly findings: Findings;
  /** For files; removed by the caller. */
  readonly folder: string;
  /** Whether look-ups of subjects can be compared. */
  readonly hasLookupKey: boolean;
  /** The present, by the log and by our clock. */
  readonly at: () => Date;
  /** Called with the positions examined so far. */
  readonly onProgress: (examined: bigint) => void;
}

const BUDGET = 16_000;

/**
 * Verifies one partition. A thread hashes its log while the replay reads it too: each event is checked, and every row
 * that follows from events.
 */
@Injectable()
export class PartitionVerifier {
  constructor(
    private readonly database: Database,
    private readonly reader: LogReader,
    private readonly projections: InlineProjections,
    private readonly subscriptions: Subscriptions,
    private readonly key: CheckpointKey,
    private readonly checkpoints: CheckpointStore,
    private readonly files: CheckpointFiles,
    private readonly codec: PersonalDataCodec,
  ) {}

  async verify(partition: number, run: PartitionRun): Promise<PartitionSummary> {
    const { database } = this;
    const { log, folder, findings, budget = BUDGET, deep = false, hasLookupKey, at, onProgress } = run;
    const kept = await this.files.newest(partition);
    const followers = this.subscriptions.all();
    const following = followers.filter(isAsyncProjection);
    const attempts = new Attempts({ findings, partition });
    const added = await this.#addedSums(partition, following, attempts);
    // After those sums: events up to their positions are examined.
    const reached = await readReached(database, partition);
    // A checkpoint signed after this moment covers events that are not examined.
    const newest = (await this.checkpoints.newest(partition))?.size ?? 0n;
    const head = (await readHeads(database, partition))[0]!;
    const known = this.#knownCheckpoints(partition, kept, newest, run);
    const inOrder = known.all();
    const streams = checkStreams(database, partition, findings);
    streams.catch(() => undefined);
    const subjects = new SubjectKeysCheck({ database, codec: this.codec, findings, partition, deep, hasLookupKey });
    const payers = new ExpectedPayersCheck({ database, codec: this.codec, findings, partition });
    const replay = new PartitionReplay({
      ...{ database, reader: this.reader, findings, partition, folder, reached },
      size: head.size,
      budget,
      inline: this.projections.all(),
      ...{ following, added, sagas: followers, at },
      checksPostings: true,
      onPage: async (page) => {
        await attempts.run(SUBJECT_KEYS, subjects, () => subjects.examine(page));
        // Only under the key of look-ups can persons be told from other subjects.
        if (hasLookupKey) await attempts.run(PAYERS, payers, () => payers.examine(page));
      },
    });

    let hashed = 0n;
    let replayed = 0n;
    const report = () => onProgress(hashed < replayed ? hashed : replayed);
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
    await this.#checkBesideEvents(partition, findings, attempts);
    const { result, sums, found } = await checked;
    findings.add(found);
    await replay.finish(sums);
    const ofEvents = followers.flatMap(({ intends }) => [...(intends?.kinds.keys() ?? [])]);
    const hints = followers.flatMap(({ intends }) => intends?.hints ?? []);
    const timers = () => checkTimers({ database, findings, partition }, ofEvents, hints, at());
    await attempts.run(WORK, checkTimers, timers);
    const { root, sealed, checkpoints } = result;
    return { partition, events: head.size, root: root.toString('hex'), checkpoints, outside: known.outside, sealed };
  }

  /** By projection; without those that could not be read. */
  async #addedSums(
    partition: number,
    following: readonly AsyncProjection[],
    attempts: Attempts,
  ): Promise<Map<string, AddedSums>> {
    const added = new Map<string, AddedSums>();
    for (const { name, adds } of following) {
      if (!adds) continue;
      await attempts.run(`rows of ${name}`, adds, async () => {
        added.set(name, await readAddedSums(this.database, adds, partition));
      });
    }
    return added;
  }

  /** What no event of the replay shows. */
  async #checkBesideEvents(partition: number, findings: Findings, attempts: Attempts): Promise<void> {
    const { database, codec } = this;
    await checkBeyondHead(database, partition, findings);
    await checkFollowersBeyondHead(database, partition, findings);
    await attempts.run(SECRETS, checkSecrets, () => checkSecrets(database, codec, findings, partition));
    await attempts.run(WORDS, checkDirectoryWords, () => checkDirectoryWords(database, findings, partition));
    await attempts.run(SUBJECT_KEYS, checkStoredKeys, () => checkStoredKeys(database, codec, findings, partition));
  }

  #knownCheckpoints(
    partition: number,
    kept: string | undefined,
    newest: bigint,
    { findings, notes = [], verifiers = [] }: PartitionRun,
  ) {
    const origin = this.key.originOf(partition);
    const given = notes.filter((note) => isOfLog(note, origin));
    const keys = [...this.key.verifiersOf(partition), ...verifiers.filter(({ name }) => name === origin)];
    const outside = [...given, ...(kept === undefined ? [] : [kept])];
    const load = async (after: bigint, limit: number) =>
      (await this.checkpoints.after(partition, after, limit)).filter(({ size }) => size <= newest);
    return new KnownCheckpoints(partition, keys, findings, load, outside, this.key.witness);
  }
}

function isOfLog(note: string, origin: string): boolean {
  return parseCheckpoint(note).origin === origin;
}
