import type { QueryResult } from 'pg';
import { Batch, type Decision, type Submission } from './batch.js';
import * as sql from './batch-statements.js';
import type { Outcome } from './command.js';
import { classifyFault, isConnectionFault } from '../platform/database/index.js';
import { idempotencyProjection } from './idempotency.js';
import { type InlineProjection, LoadedRows, type Statement } from './inline-projection.js';
import type { PersonalDataCodec, SubjectKey } from './personal-data.js';
import type { PipelinedConnection } from '../platform/database/index.js';
import { AppError, InternalError, OutcomeUnknown, ServiceUnavailable } from '../platform/errors/index.js';

export interface LaneOptions {
  /** Commands in one transaction at most. */
  readonly batchSize: number;
  /** Commands waiting at most; beyond it new ones are refused with 503. */
  readonly queueSize: number;
  /** Milliseconds from submission within which a command is answered, whatever happens. */
  readonly deadline: number;
}

export interface LaneEvents {
  batch(partition: number, commands: number, events: number, seconds: number): void;
  fault(partition: number, error: unknown): void;
  /** @param types of the events, to tell whom they concern */
  appended(partition: number, types: ReadonlySet<string>): void;
}

interface Waiting extends Submission {
  readonly deadline: number;
  resolve(outcome: Outcome | { position: bigint; events: number }): void;
  reject(error: unknown): void;
}

/** The batch's COMMIT was sent and no answer came: only the log knows. */
class CommitUnanswered extends Error {
  constructor(
    readonly firstPosition: bigint,
    readonly firstEventId: string,
    readonly answers: () => void,
  ) {
    super('no answer to COMMIT');
  }
}

const BEGIN: Statement = { name: 'begin', text: 'begin isolation level read committed', values: [] };
const COMMIT: Statement = { name: 'commit', text: 'commit', values: [] };
const ROLLBACK: Statement = { name: 'rollback', text: 'rollback', values: [] };
const RETRY_PAUSE_MS = 50;

/**
 * The write lane of one partition in this process. Commands queue in memory; whatever has gathered while a
 * batch was being written forms the next one, and each batch is one transaction ("group commit").
 */
export class Lane {
  readonly #queue: Waiting[] = [];
  #connection: PipelinedConnection | undefined;
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly partition: number,
    private readonly open: () => Promise<PipelinedConnection>,
    private readonly projections: readonly InlineProjection[],
    private readonly codec: PersonalDataCodec,
    private readonly options: LaneOptions,
    private readonly events: LaneEvents,
  ) {}

  get waiting(): number {
    return this.#queue.length;
  }

  /** @throws ServiceUnavailable when the queue is full or the service is stopping */
  submit(submission: Submission): Promise<Outcome | { position: bigint; events: number }> {
    if (this.#closed) return Promise.reject(new ServiceUnavailable('The service is stopping.'));
    if (this.#queue.length >= this.options.queueSize) {
      return Promise.reject(new ServiceUnavailable('Too many requests are waiting. Nothing was done.'));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...submission, deadline: Date.now() + this.options.deadline, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Refuses new commands, finishes those that wait, closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.#connection?.close().catch(() => undefined);
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#flush(this.#queue.splice(0, this.options.batchSize));
    this.#draining = undefined;
  }

  /** Writes the commands, as one batch if it can be; answers every one of them. */
  async #flush(commands: readonly Waiting[]): Promise<void> {
    let pending = commands;
    while (pending.length > 0) {
      try {
        await this.#write(pending);
        return;
      } catch (fault) {
        this.events.fault(this.partition, fault);
        if (fault instanceof CommitUnanswered) {
          const committed = await this.#wasCommitted(fault, Math.max(...pending.map((waiting) => waiting.deadline)));
          if (committed === undefined) pending.forEach((waiting) => waiting.reject(new OutcomeUnknown()));
          else if (committed) fault.answers();
          if (committed !== false) return;
          continue;
        }
        if (classifyFault(fault) !== 'transient') {
          if (pending.length > 1) for (const waiting of pending) await this.#flush([waiting]);
          else pending[0]!.reject(new InternalError());
          return;
        }
        await new Promise((resume) => setTimeout(resume, RETRY_PAUSE_MS));
        pending = this.#dropExpired(pending);
      }
    }
  }

  #dropExpired(pending: readonly Waiting[]): readonly Waiting[] {
    const now = Date.now();
    const late = pending.filter((waiting) => waiting.deadline <= now);
    late.forEach((waiting) =>
      waiting.reject(new ServiceUnavailable('The database is not available. Nothing was done.')),
    );
    return late.length === 0 ? pending : pending.filter((waiting) => waiting.deadline > now);
  }

  async #write(pending: readonly Waiting[]): Promise<void> {
    const started = performance.now();
    const connection = await this.#connect();
    let batch: Batch;
    try {
      batch = await this.#load(connection, pending);
    } catch (error) {
      await this.#abandon(connection, error);
      throw error;
    }
    const decisions = pending.map((waiting) => batch.decide(waiting));
    const answers = () => {
      decisions.forEach((decision, i) => answer(pending[i]!, decision));
      if (batch.appended.length > 0)
        this.events.appended(this.partition, new Set(batch.appended.map(({ row }) => row.type)));
    };
    const [first] = batch.appended;
    if (!first) {
      await connection.run([ROLLBACK]);
      answers();
      return;
    }
    try {
      const results = await connection.run([...this.#statements(batch, pending, decisions), COMMIT]);
      if (results.at(-1)!.command !== 'COMMIT') throw new Error('the transaction was rolled back');
    } catch (error) {
      await this.#abandon(connection, error);
      if (isConnectionFault(error)) throw new CommitUnanswered(first.row.position, first.row.id, answers);
      throw error;
    }
    answers();
    this.events.batch(this.partition, pending.length, batch.appended.length, (performance.now() - started) / 1000);
  }

  async #load(connection: PipelinedConnection, pending: readonly Waiting[]): Promise<Batch> {
    const loads = this.projections
      .map((projection) => ({ projection, keys: keysToLoad(projection, pending) }))
      .filter(({ keys }) => keys.length > 0);
    const lookups = new Map<string, Buffer>();
    for (const { subjects } of pending) {
      for (const { lookup } of subjects.values()) lookups.set(lookup.toString('hex'), lookup);
    }
    const results = await connection.run([
      BEGIN,
      sql.lockHead(this.partition),
      ...loads.map(({ projection, keys }) => projection.load(this.partition, keys)),
      ...(lookups.size > 0 ? [sql.loadSubjectKeys(this.partition, [...lookups.values()])] : []),
    ]);
    const [headRow] = results[1]!.rows as Record<string, unknown>[];
    if (!headRow) throw new TypeError(`partition ${this.partition} does not exist`);
    const head = sql.parseHead(headRow);
    const rows = new LoadedRows(this.projections);
    loads.forEach(({ projection }, i) => {
      const loaded = rows.of(projection);
      for (const raw of results[2 + i]!.rows as Record<string, unknown>[]) {
        const row = projection.parse(raw);
        loaded.set(projection.keyOf(row), row);
      }
    });
    const subjectKeys = lookups.size > 0 ? subjectKeysOf(results.at(-1)!) : new Map<string, SubjectKey>();
    const at = new Date(Math.max(Date.now(), head.time.getTime()));
    return new Batch(this.projections, this.codec, this.partition, head, rows, subjectKeys, at);
  }

  #statements(batch: Batch, pending: readonly Waiting[], decisions: readonly Decision[]): Statement[] {
    const secrets = pending.flatMap(({ command }, i) =>
      decisions[i]!.kind === 'appended' ? (command.secrets ?? []) : [],
    );
    return [
      sql.insertEvents(this.partition, batch),
      ...this.projections.flatMap((projection) => {
        const changes = batch.changesOf(projection);
        return changes.inserted.length + changes.updated.length > 0 ? projection.save(this.partition, changes) : [];
      }),
      ...(batch.newSubjectKeys.length > 0 ? [sql.insertSubjectKeys(this.partition, batch.newSubjectKeys)] : []),
      ...(secrets.length > 0 ? [sql.insertSecrets(this.partition, secrets)] : []),
      sql.moveHead(this.partition, batch),
    ];
  }

  async #connect(): Promise<PipelinedConnection> {
    if (!this.#connection?.usable) this.#connection = await this.open();
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

  /**
   * Asks the log whether a batch stands in it. The head's lock comes first: a transaction that is still
   * under way on the server holds it, so whoever gets the lock sees that transaction's end.
   * @returns `undefined` when it could not be found out before the deadline
   */
  async #wasCommitted(unanswered: CommitUnanswered, deadline: number): Promise<boolean | undefined> {
    while (Date.now() < deadline) {
      let connection: PipelinedConnection | undefined;
      try {
        connection = await this.#connect();
        const results = await connection.run([
          BEGIN,
          sql.lockHead(this.partition),
          {
            name: 'log-event-at',
            text: 'select event_id from event where partition = $1 and position = $2',
            values: [this.partition, unanswered.firstPosition],
          },
          ROLLBACK,
        ]);
        const [event] = results[2]!.rows as { event_id: string }[];
        return event?.event_id === unanswered.firstEventId;
      } catch (error) {
        if (connection) await this.#abandon(connection, error);
        this.events.fault(this.partition, error);
        await new Promise((resume) => setTimeout(resume, RETRY_PAUSE_MS));
      }
    }
    return undefined;
  }
}

function keysToLoad(projection: InlineProjection, pending: readonly Waiting[]): string[] {
  const keys = new Set<string>();
  for (const { command, mark } of pending) {
    for (const key of command.reads[projection.name] ?? []) keys.add(key);
    if (mark && projection.name === idempotencyProjection.name) keys.add(mark.id);
  }
  return [...keys];
}

function subjectKeysOf(result: QueryResult): Map<string, SubjectKey> {
  const keys = (result.rows as Record<string, unknown>[]).map((row) => sql.parseSubjectKey(row));
  return new Map(keys.map((key) => [key.lookup.toString('hex'), key]));
}

function answer(waiting: Waiting, decision: Decision): void {
  switch (decision.kind) {
    case 'appended':
      return waiting.resolve(decision.outcome);
    case 'replayed':
      return waiting.resolve({ position: decision.position, events: decision.events });
    case 'refused':
      return waiting.reject(decision.error instanceof AppError ? decision.error : new UnexpectedFault(decision.error));
  }
}

/** A decider or projection failed for a reason that is nobody's input: a defect, told to nobody in detail. */
class UnexpectedFault extends InternalError {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super();
    this.cause = cause;
  }
}
