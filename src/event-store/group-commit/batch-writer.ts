import {
  failedStatement,
  isConnectionFault,
  isUnclear,
  type PipelinedConnection,
  type PipelinedStatement,
  sqlState,
} from '../../platform/database/index.js';
import { Batch, type BatchRows, type Decision, type Head, type Submission } from './batch.js';
import { BatchReads } from './batch-reads.js';
import * as sql from './batch-statements.js';
import { insertSubjectKeys } from '../subjects/subject-keys.js';
import { LogContradicted } from './append.js';
import type { RecordedEvent } from '../log/event.js';
import { type InlineProjection, RowsWanted } from '../projections/inline-projection.js';
import type { Statement } from '../log/statement.js';
import type { PersonalDataCodec } from '../subjects/personal-data-codec.js';
import { type Recalled, RowMemory } from './row-memory.js';

/** A batch that stands in the log. */
export interface WrittenBatch {
  readonly decisions: readonly Decision[];
  /** What was appended, in the order of the log. */
  readonly events: readonly RecordedEvent[];
}

/** The batch's COMMIT was sent, and no answer came or one that it failed: only the log knows. */
export class CommitUnanswered extends Error {
  constructor(
    readonly firstPosition: bigint,
    readonly firstEventId: string,
    readonly written: WrittenBatch,
  ) {
    super('no answer to COMMIT');
  }
}

const BEGIN: Statement = { name: 'begin', text: 'begin isolation level read committed', values: [] };
const COMMIT: Statement = { name: 'commit', text: 'commit', values: [] };
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback', values: [] };
/** Batches that are loaded without trying to do by memory, at most, where others write to the partition too. */
const MOST_CAUTION = 64;

/**
 * Decides batches of one partition and writes each as one transaction. A batch whose rows are remembered costs one
 * journey to the server; what is not is read before, in a second. Where the head is not known, or others write to the
 * partition too, the head is locked and everything loaded first (ADR 0002, ADR 0008).
 */
export class BatchWriter {
  readonly #memory: RowMemory;
  #connection: PipelinedConnection | undefined;
  #misses = 0;
  #cautious = 0;

  constructor(
    private readonly partition: number,
    private readonly open: () => Promise<PipelinedConnection>,
    private readonly projections: readonly InlineProjection[],
    private readonly codec: PersonalDataCodec,
  ) {
    this.#memory = new RowMemory(projections);
  }

  /** @throws CommitUnanswered; the database's error when nothing was written */
  async write(pending: readonly Submission[]): Promise<WrittenBatch> {
    const connection = await this.#connect();
    try {
      return (await this.#writeByMemory(connection, pending)) ?? (await this.#writeLoaded(connection, pending));
    } catch (error) {
      this.#memory.forget();
      if (!(error instanceof CommitUnanswered)) await this.#abandon(connection, error);
      throw error;
    }
  }

  /**
   * Asks the log whether a batch stands in it, and sees to it that one which does not never will. The head's lock comes
   * first: a transaction that is under way on the server holds it, so whoever gets the lock sees that transaction's end.
   * A batch that the server has not read yet, as it lies in a buffer on the way, holds nothing: the fence takes away the
   * head that it was made for.
   */
  async wasCommitted({ firstPosition, firstEventId }: CommitUnanswered): Promise<boolean> {
    const connection = await this.#connect();
    try {
      const results = await connection.run([
        BEGIN,
        ...connection.guard,
        sql.lockHead(this.partition),
        sql.fenceHead(this.partition, firstPosition, firstEventId),
        COMMIT,
      ]);
      return results.at(-2)!.tag === 'UPDATE 0';
    } catch (error) {
      await this.#abandon(connection, error);
      throw error;
    }
  }

  /**
   * Whether events stand beyond the head: nobody who writes by the rules leaves any, and the next batch finds its places
   * taken. Asked of the database, as names of constraints are not the same where it is distributed.
   */
  async isTakenBeyondHead(): Promise<boolean> {
    const connection = await this.#connect();
    try {
      const results = await connection.run([...connection.guard, sql.findBeyondHead(this.partition)]);
      return results.at(-1)!.rows.length > 0;
    } catch (error) {
      await this.#abandon(connection, error);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close().catch(() => undefined);
  }

  /** @returns nothing when it could not be done by memory */
  async #writeByMemory(
    connection: PipelinedConnection,
    pending: readonly Submission[],
  ): Promise<WrittenBatch | undefined> {
    if (this.#cautious > 0) {
      this.#cautious -= 1;
      return undefined;
    }
    // What may stand already is looked for behind the head's lock.
    if (pending.some(({ triedAt }) => triedAt !== undefined)) return undefined;
    const known = this.#memory.recall(pending);
    if (!known) return undefined;
    const batch = this.#batch(known.head, await this.#complete(connection, known, pending));
    const decisions = pending.map((submission) => batch.decide(submission));
    // Nothing refuses an idempotency key that was taken for new when its command is refused itself: it is looked for.
    if (decisions.some((decision, i) => isRefusal(decision) && pending[i]!.mark)) return undefined;
    try {
      if (batch.appended.length === 0) {
        await connection.run([...connection.guard, sql.assertHead(this.partition, known.head)]);
      } else {
        await this.#commit(connection, batch, pending, decisions, [BEGIN, ...connection.guard]);
      }
    } catch (error) {
      if (error instanceof CommitUnanswered || isConnectionFault(error)) throw error;
      // Others have written meanwhile, or a key was used before: with everything loaded it will be seen which.
      this.#memory.forget();
      if (sqlState(error) === sql.HEAD_HAS_MOVED) this.#cautious = Math.min(2 ** (this.#misses += 1), MOST_CAUTION);
      if (batch.appended.length > 0) await connection.run([ROLLBACK]);
      return undefined;
    }
    this.#misses = 0;
    return written(batch, decisions);
  }

  async #writeLoaded(connection: PipelinedConnection, pending: readonly Submission[]): Promise<WrittenBatch> {
    const batch = await this.#load(connection, pending);
    const decisions = pending.map((submission) => batch.decide(submission));
    if (batch.appended.length === 0) await connection.run([ROLLBACK]);
    else await this.#commit(connection, batch, pending, decisions);
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
      // Whatever the code: where COMMIT failed, a server of several nodes may have lost the answer of one that committed.
      const isUnanswered = isConnectionFault(error) || failedStatement(error) === statements.length;
      if (isUnanswered || isUnclear(error)) for (const one of pending) one.triedAt ??= batch.head.tree.size;
      if (!isUnanswered) throw error;
      this.#giveUp(connection);
      const [{ row }] = batch.appended as [Batch['appended'][number]];
      throw new CommitUnanswered(row.position, row.id, written(batch, decisions));
    }
    const head = { tree: batch.tree, time: batch.at, corrections: batch.head.corrections };
    this.#memory.committed(head, batch.changed());
  }

  async #load(connection: PipelinedConnection, pending: readonly Submission[]): Promise<Batch> {
    const reads = BatchReads.ofAll(this.partition, this.projections, pending);
    const before = [BEGIN, ...connection.guard, sql.lockHead(this.partition)];
    const results = await connection.run([...before, ...reads.statements]);
    const [headRow] = results[before.length - 1]!.rows;
    if (!headRow) throw new LogContradicted();
    const head = sql.parseHead(headRow);
    const read = reads.parse(results.slice(before.length));
    this.#memory.loaded(head, reads.rowsOf(read.rows));
    return this.#batch(head, read);
  }

  /**
   * Reads what is not remembered, without a lock: nobody changes a row without moving the head, so what is read is what
   * stood at the remembered head, or the write finds that the head has moved.
   */
  async #complete(
    connection: PipelinedConnection,
    { rows, missing }: Recalled,
    pending: readonly Submission[],
  ): Promise<BatchRows> {
    const reads = BatchReads.ofMissing(this.partition, this.projections, pending, missing);
    if (reads.statements.length === 0) return { rows, subjectKeys: new Map(), standing: new Map() };
    const read = reads.parse(await connection.run(reads.statements));
    for (const [{ name }, its] of reads.rowsOf(read.rows)) for (const [key, row] of its) rows.of(name).set(key, row);
    this.#memory.read(reads.rowsOf(read.rows));
    return { ...read, rows };
  }

  #batch(head: Head, read: BatchRows): Batch {
    const at = new Date(Math.max(Date.now(), head.time.getTime()));
    return new Batch(this.projections, this.codec, this.partition, head, read, at);
  }

  /** The head comes first: if it has moved, nothing else is tried. */
  #statements(batch: Batch, pending: readonly Submission[], decisions: readonly Decision[]): Statement[] {
    const secrets = pending.flatMap(({ append }, i) => {
      const decision = decisions[i]!;
      return decision.kind === 'appended' && decision.outcome.events.length > 0 ? (append.secrets ?? []) : [];
    });
    return [
      sql.moveHead(this.partition, batch),
      sql.insertEvents(this.partition, batch.appended),
      ...this.projections.flatMap((projection) => {
        const changes = batch.changesOf(projection);
        return changes ? projection.save(this.partition, changes) : [];
      }),
      ...(batch.newSubjectKeys.length > 0 ? [insertSubjectKeys(this.partition, batch.newSubjectKeys)] : []),
      ...(secrets.length > 0 ? [sql.writeSecrets(this.partition, secrets)] : []),
    ];
  }

  async #connect(): Promise<PipelinedConnection> {
    if (!this.#connection?.usable) {
      this.#memory.forget();
      this.#connection = await this.open();
    }
    return this.#connection;
  }

  /** After a fault the connection is either brought back to rest or given up; it never keeps a lock. */
  async #abandon(connection: PipelinedConnection, error: unknown): Promise<void> {
    if (!isConnectionFault(error)) {
      const rolledBack = await connection.run([ROLLBACK]).then(
        () => true,
        () => false,
      );
      if (rolledBack) return;
    }
    this.#giveUp(connection);
  }

  #giveUp(connection: PipelinedConnection): void {
    connection.destroy();
    if (this.#connection === connection) this.#connection = undefined;
  }
}

/** A refusal that its caller is told: not one that asks to be decided again. */
function isRefusal(decision: Decision): boolean {
  return decision.kind === 'refused' && !(decision.error instanceof RowsWanted);
}

function written(batch: Batch, decisions: readonly Decision[]): WrittenBatch {
  return { decisions, events: batch.appended.map(({ event }) => event) };
}
