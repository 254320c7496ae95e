import {
  failedStatement,
  isConnectionFault,
  isUnclear,
  type PipelinedConnection,
  type PipelinedStatement,
  sqlState,
} from '../../platform/database/index.js';
import { Batch, type BatchRows, type Head } from './batch.js';
import { type Decision, isFault, isRefusal, wantsRows } from './decision.js';
import { commandsOf, type Submission } from './submission.js';
import { BatchReads } from './batch-reads.js';
import * as sql from './batch-statements.js';
import { insertSubjectKeys } from '../subjects/subject-keys.js';
import type { Append } from './append.js';
import type { RecordedEvent } from '../log/event.js';
import type { InlineProjection } from '../projections/inline-projection.js';
import type { Statement } from '../log/statement.js';
import type { PersonalDataCodec } from '../subjects/personal-data-codec.js';
import { BEGIN, COMMIT, type LaneConnection, ROLLBACK } from './lane-connection.js';
import { type CachedRows, RowCache } from './row-cache.js';

/** A batch that is in the log. */
export interface WrittenBatch {
  readonly decisions: readonly Decision[];
  /** What was appended, in the order of the log. */
  readonly events: readonly RecordedEvent[];
}

/** COMMIT was sent and was not answered, or failed: only the log shows whether the batch is committed. */
export class CommitUnanswered extends Error {
  constructor(
    readonly firstPosition: bigint,
    readonly firstEventId: string,
    readonly written: WrittenBatch,
  ) {
    super('no answer to COMMIT');
  }
}

/** Most batches in a row that skip the cache where other processes write to the partition too. */
const MAX_UNCACHED = 64;

/**
 * Decides batches of one partition and writes each as one transaction. A batch whose rows are cached costs one round
 * trip; missing rows are read before, in a second one. Where the head is not known, or other processes write to the
 * partition too, the head is locked and all rows are loaded first (ADR 0002, ADR 0008).
 */
export class BatchWriter {
  readonly #cache: RowCache;
  /** The connection of the batch before. */
  #latest: PipelinedConnection | undefined;
  /** The newest event of this process that was answered. */
  #answered: RecordedEvent | undefined;
  /** Whether the log is known to have it. Another server may be behind a new connection: a standby that lagged, say. */
  #hasAnswered = true;
  #misses = 0;
  #uncached = 0;

  constructor(
    private readonly partition: number,
    private readonly connection: LaneConnection,
    private readonly projections: readonly InlineProjection[],
    private readonly codec: PersonalDataCodec,
    /** Called where the log does not have an event that was answered. */
    private readonly onLost: (position: bigint) => void,
  ) {
    this.#cache = new RowCache(projections);
  }

  /** @throws CommitUnanswered; the database's error when nothing was written */
  async write(pending: readonly Submission[]): Promise<WrittenBatch> {
    const connection = await this.#connect();
    try {
      return (await this.#writeCached(connection, pending)) ?? (await this.#writeLoaded(connection, pending));
    } catch (error) {
      this.#forget();
      if (!(error instanceof CommitUnanswered)) await this.connection.abandon(connection, error);
      throw error;
    }
  }

  /** The log must have this event from now on. */
  answered(event: RecordedEvent): void {
    this.#answered = event;
  }

  /** @returns nothing when the rows must be loaded */
  async #writeCached(
    connection: PipelinedConnection,
    pending: readonly Submission[],
  ): Promise<WrittenBatch | undefined> {
    if (this.#uncached > 0) {
      this.#uncached -= 1;
      return undefined;
    }
    // Events of an earlier attempt are looked for under the head's lock.
    if (commandsOf(pending).some(({ attemptedAt }) => attemptedAt !== undefined)) return undefined;
    const known = this.#cache.read(pending);
    if (!known) return undefined;
    const batch = this.#batch(known.head, await this.#complete(connection, known, pending));
    const decisions = batch.decideAll(pending);
    // Nothing is told yet: the next attempt finds out whether the head has moved.
    if (decisions.every(wantsRows)) return written(batch, decisions);
    // Cached rows may be others than those that stand in the database now.
    if (decisions.some(isFault)) {
      this.#cache.clear();
      return undefined;
    }
    // A refused command inserts no idempotency key, so a used key would go unnoticed: it is looked up.
    if (decisions.some((decision, i) => isRefusal(decision) && hasMark(pending[i]!))) return undefined;
    try {
      if (batch.appended.length === 0) {
        await connection.run([...connection.guard, sql.assertHead(this.partition, known.head)]);
      } else {
        await this.#commit(connection, batch, pending, decisions, [BEGIN, ...connection.guard]);
      }
    } catch (error) {
      if (error instanceof CommitUnanswered || isConnectionFault(error)) throw error;
      // Another process has written, the log was put back, or a key was used before: the loaded batch shows which.
      this.#forget();
      if (sqlState(error) === sql.HEAD_HAS_MOVED) this.#uncached = Math.min(2 ** (this.#misses += 1), MAX_UNCACHED);
      if (batch.appended.length > 0) await connection.run([ROLLBACK]);
      return undefined;
    }
    this.#misses = 0;
    return written(batch, decisions);
  }

  async #writeLoaded(connection: PipelinedConnection, pending: readonly Submission[]): Promise<WrittenBatch> {
    const batch = await this.#load(connection, pending);
    const decisions = batch.decideAll(pending);
    if (batch.appended.length === 0) await connection.run([ROLLBACK]);
    else await this.#commit(connection, batch, pending, decisions);
    // Somebody may put right what is wrong with a row: it is read again then.
    if (decisions.some(isFault)) this.#cache.clear();
    return written(batch, decisions);
  }

  async #commit(
    connection: PipelinedConnection,
    batch: Batch,
    pending: readonly Submission[],
    decisions: readonly Decision[],
    before: readonly PipelinedStatement[] = [],
  ): Promise<void> {
    const statements = [...before, ...this.#statements(batch, pending, decisions)];
    try {
      const results = await connection.run([...statements, COMMIT]);
      if (results.at(-1)!.tag !== 'COMMIT') throw new Error('the transaction was rolled back');
    } catch (error) {
      // Whatever the SQLSTATE: where COMMIT failed, a node may have committed and only its answer was lost.
      const isUnanswered = isConnectionFault(error) || failedStatement(error) === statements.length;
      if (isUnanswered || isUnclear(error))
        for (const one of commandsOf(pending)) one.attemptedAt ??= batch.head.tree.size;
      if (!isUnanswered) throw error;
      this.connection.drop(connection);
      const [{ row }] = batch.appended as [Batch['appended'][number]];
      throw new CommitUnanswered(row.position, row.id, written(batch, decisions));
    }
    const head = { tree: batch.tree, time: batch.at, corrections: batch.head.corrections };
    this.#cache.storeCommitted(head, batch.changed.all());
  }

  async #load(connection: PipelinedConnection, pending: readonly Submission[]): Promise<Batch> {
    const reads = BatchReads.ofAll(this.partition, this.projections, pending);
    const before = [BEGIN, ...connection.guard, sql.lockHead(this.partition), sql.readNewestTime(this.partition)];
    const answered = this.#hasAnswered ? undefined : this.#answered;
    const proof = answered ? [sql.readEventId(this.partition, answered.position)] : [];
    const results = await connection.run([...before, ...proof, ...reads.statements]);
    const [locked, newest, found] = results.slice(before.length - 2);
    const head = sql.parseHead(locked!.rows[0], newest!.rows[0]);
    if (answered && found!.rows[0]?.event_id !== answered.id) this.onLost(answered.position);
    this.#hasAnswered = true;
    const read = reads.parse(results.slice(before.length + proof.length));
    this.#cache.storeLoaded(head, reads.rowsOf(read.rows));
    return this.#batch(head, read);
  }

  /**
   * Reads the missing rows without a lock: no row changes without the head, so they are those of the cached head, or
   * the write finds that the head has moved.
   */
  async #complete(
    connection: PipelinedConnection,
    { rows, missing }: CachedRows,
    pending: readonly Submission[],
  ): Promise<BatchRows> {
    const reads = BatchReads.ofMissing(this.partition, this.projections, pending, missing);
    if (reads.statements.length === 0) return { rows, subjectKeys: new Map(), existing: new Map() };
    const read = reads.parse(await connection.run(reads.statements));
    for (const [{ name }, its] of reads.rowsOf(read.rows)) for (const [key, row] of its) rows.of(name).set(key, row);
    this.#cache.store(reads.rowsOf(read.rows));
    return { ...read, rows };
  }

  #batch(head: Head, read: BatchRows): Batch {
    const at = new Date(Math.max(Date.now(), head.time.getTime()));
    return new Batch(this.projections, this.codec, this.partition, head, read, at);
  }

  /** The head comes first: if it has moved, the rest is skipped. */
  #statements(batch: Batch, pending: readonly Submission[], decisions: readonly Decision[]): Statement[] {
    const appends = pending.flatMap((submission, i) => appendedOf(submission, decisions[i]!));
    const secrets = appends.flatMap((append) => append.secrets ?? []);
    return [
      sql.moveHead(this.partition, batch),
      ...appends.flatMap(({ requires }) => requires ?? []),
      sql.insertEvents(this.partition, batch.appended),
      ...this.projections.flatMap((projection) => {
        const changes = batch.changed.of(projection);
        return changes ? projection.save(this.partition, changes) : [];
      }),
      ...(batch.subjects.made.length > 0 ? [insertSubjectKeys(this.partition, batch.subjects.made)] : []),
      ...(secrets.length > 0 ? [sql.writeSecrets(this.partition, secrets)] : []),
    ];
  }

  /** Behind a new connection nothing is known of the log. */
  async #connect(): Promise<PipelinedConnection> {
    const connection = await this.connection.get();
    if (connection !== this.#latest) this.#forget();
    return (this.#latest = connection);
  }

  #forget(): void {
    this.#cache.clear();
    this.#hasAnswered = false;
  }
}

function hasMark(submission: Submission): boolean {
  return commandsOf([submission]).some(({ mark, requestMark }) => mark ?? requestMark);
}

/** Those of a submission that appended events. */
function appendedOf({ append, parts }: Submission, decision: Decision): readonly Append[] {
  if (decision.kind === 'together') return decision.decisions.flatMap((one, i) => appendedOf(parts![i]!, one));
  return decision.kind === 'appended' && decision.outcome.events.length > 0 ? [append] : [];
}

function written(batch: Batch, decisions: readonly Decision[]): WrittenBatch {
  return { decisions, events: batch.appended.map(({ event }) => event) };
}
