import {
  isConnectionFault,
  type PipelinedConnection,
  type StatementResult,
  sqlState,
} from '../platform/database/index.js';
import { Batch, type Decision, type Head, type Submission } from './batch.js';
import * as sql from './batch-statements.js';
import { idempotencyProjection } from './idempotency.js';
import { type InlineProjection, LoadedRows, type Statement } from './inline-projection.js';
import type { PersonalDataCodec, SubjectKey } from './personal-data.js';
import { type Recalled, RowMemory } from './row-memory.js';

/** A batch that stands in the log. */
export interface WrittenBatch {
  readonly decisions: readonly Decision[];
  /** Types of the events, to tell whom they concern. */
  readonly types: ReadonlySet<string>;
  readonly events: number;
}

/** The batch's COMMIT was sent and no answer came: only the log knows. */
export class CommitUnanswered extends Error {
  constructor(
    readonly firstPosition: bigint,
    readonly firstEventId: string,
    readonly written: WrittenBatch,
  ) {
    super('no answer to COMMIT');
  }
}

/** Rows of a projection to be read. */
interface Load {
  readonly projection: InlineProjection;
  readonly keys: readonly string[];
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
   * Asks the log whether a batch stands in it. The head's lock comes first: a transaction that is still
   * under way on the server holds it, so whoever gets the lock sees that transaction's end.
   */
  async wasCommitted({ firstPosition, firstEventId }: CommitUnanswered): Promise<boolean> {
    const connection = await this.#connect();
    try {
      const results = await connection.run([
        BEGIN,
        sql.lockHead(this.partition),
        {
          name: 'log-event-at',
          text: 'select event_id from event where partition = $1 and position = $2',
          values: [this.partition, firstPosition],
        },
        ROLLBACK,
      ]);
      return results[2]!.rows[0]?.event_id === firstEventId;
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
    const known = this.#memory.recall(pending);
    if (!known) return undefined;
    const subjectKeys = await this.#complete(connection, known, pending);
    const batch = this.#batch(known.head, known.rows, subjectKeys);
    const decisions = pending.map((submission) => batch.decide(submission));
    // Nothing refuses an idempotency key that was taken for new when its command is refused itself: it is looked for.
    if (decisions.some(({ kind }, i) => kind === 'refused' && pending[i]!.mark)) return undefined;
    try {
      if (batch.appended.length === 0) await connection.run([sql.assertHead(this.partition, known.head)]);
      else await this.#commit(connection, batch, [BEGIN, ...this.#statements(batch, pending, decisions)], decisions);
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
    else await this.#commit(connection, batch, this.#statements(batch, pending, decisions), decisions);
    return written(batch, decisions);
  }

  async #commit(
    connection: PipelinedConnection,
    batch: Batch,
    statements: readonly Statement[],
    decisions: readonly Decision[],
  ): Promise<void> {
    try {
      const results = await connection.run([...statements, COMMIT]);
      if (results.at(-1)!.tag !== 'COMMIT') throw new Error('the transaction was rolled back');
    } catch (error) {
      if (!isConnectionFault(error)) throw error;
      await this.#abandon(connection, error);
      const [{ row }] = batch.appended as [Batch['appended'][number]];
      throw new CommitUnanswered(row.position, row.id, written(batch, decisions));
    }
    const head = { tree: batch.tree, time: batch.at, corrections: batch.head.corrections };
    this.#memory.committed(head, batch.changed());
  }

  async #load(connection: PipelinedConnection, pending: readonly Submission[]): Promise<Batch> {
    const loads = this.projections.map((projection) => ({ projection, keys: keysToLoad(projection, pending) }));
    const lookups = lookupsOf(pending);
    const [, locked, ...results] = await connection.run([
      BEGIN,
      sql.lockHead(this.partition),
      ...this.#loadStatements(loads, lookups),
    ]);
    const [headRow] = locked!.rows;
    if (!headRow) throw new TypeError(`partition ${this.partition} does not exist`);
    const head = sql.parseHead(headRow);
    const rows = new LoadedRows(this.projections);
    const subjectKeys = takeIn(loads, lookups, results, rows);
    this.#memory.loaded(
      head,
      loads.map(({ projection }) => [projection, rows.of(projection)] as const),
    );
    return this.#batch(head, rows, subjectKeys);
  }

  /**
   * Reads what is not remembered, without a lock: nobody changes a row without moving the head, so what is read is what
   * stood at the remembered head, or the write finds that the head has moved.
   */
  async #complete(
    connection: PipelinedConnection,
    { rows, missing }: Recalled,
    pending: readonly Submission[],
  ): Promise<Map<string, SubjectKey>> {
    const loads = this.projections.map((projection) => ({
      projection,
      keys: [...(missing.get(projection.name) ?? [])],
    }));
    const lookups = lookupsOf(pending);
    const statements = this.#loadStatements(loads, lookups);
    if (statements.length === 0) return new Map();
    const read = new LoadedRows(this.projections);
    const subjectKeys = takeIn(loads, lookups, await connection.run(statements), read);
    for (const { projection } of loads) for (const [key, row] of read.of(projection)) rows.of(projection).set(key, row);
    this.#memory.read(loads.map(({ projection }) => [projection, read.of(projection)] as const));
    return subjectKeys;
  }

  #loadStatements(loads: readonly Load[], lookups: readonly Buffer[]): Statement[] {
    return [
      ...loads.flatMap(({ projection, keys }) => (keys.length > 0 ? projection.load(this.partition, keys) : [])),
      ...(lookups.length > 0 ? [sql.loadSubjectKeys(this.partition, lookups)] : []),
    ];
  }

  #batch(head: Head, rows: LoadedRows, subjectKeys: Map<string, SubjectKey>): Batch {
    const at = new Date(Math.max(Date.now(), head.time.getTime()));
    return new Batch(this.projections, this.codec, this.partition, head, rows, subjectKeys, at);
  }

  /** The head comes first: if it has moved, nothing else is tried. */
  #statements(batch: Batch, pending: readonly Submission[], decisions: readonly Decision[]): Statement[] {
    const secrets = pending.flatMap(({ command }, i) =>
      decisions[i]!.kind === 'appended' ? (command.secrets ?? []) : [],
    );
    return [
      sql.moveHead(this.partition, batch),
      sql.insertEvents(this.partition, batch),
      ...this.projections.flatMap((projection) => {
        const changes = batch.changesOf(projection);
        return changes.inserted.length + changes.updated.length > 0 ? projection.save(this.partition, changes) : [];
      }),
      ...(batch.newSubjectKeys.length > 0 ? [sql.insertSubjectKeys(this.partition, batch.newSubjectKeys)] : []),
      ...(secrets.length > 0 ? [sql.insertSecrets(this.partition, secrets)] : []),
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
    connection.destroy();
    if (this.#connection === connection) this.#connection = undefined;
  }
}

function written(batch: Batch, decisions: readonly Decision[]): WrittenBatch {
  const types = new Set(batch.appended.map(({ row }) => row.type));
  return { decisions, types, events: batch.appended.length };
}

function keysToLoad(projection: InlineProjection, pending: readonly Submission[]): string[] {
  const keys = new Set<string>();
  for (const { command, mark } of pending) {
    for (const key of command.reads[projection.name] ?? []) keys.add(key);
    if (mark && projection.name === idempotencyProjection.name) keys.add(mark.id);
  }
  return [...keys];
}

/** Look-ups of the data subjects that the commands name, each once. */
function lookupsOf(pending: readonly Submission[]): Buffer[] {
  const lookups = new Map<string, Buffer>();
  for (const { subjects } of pending) {
    for (const { lookup } of subjects.values()) lookups.set(lookup.toString('hex'), lookup);
  }
  return [...lookups.values()];
}

/** Takes the answers to `#loadStatements` in. @returns the subjects' keys, by look-up (hex) */
function takeIn(
  loads: readonly Load[],
  lookups: readonly Buffer[],
  results: readonly StatementResult[],
  rows: LoadedRows,
): Map<string, SubjectKey> {
  const asked = loads.filter(({ keys }) => keys.length > 0);
  asked.forEach(({ projection }, i) => {
    const loaded = rows.of(projection);
    for (const raw of results[i]!.rows) {
      const row = projection.parse(raw);
      loaded.set(projection.keyOf(row), row);
    }
  });
  const keys = lookups.length > 0 ? results[asked.length]!.rows.map((row) => sql.parseSubjectKey(row)) : [];
  return new Map(keys.map((key) => [key.lookup.toString('hex'), key]));
}
