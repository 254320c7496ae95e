import { classifyFault, isDuplicate, isUnclear } from '../../platform/database/index.js';
import type { Decision, ExistingEvents, Submission } from './batch.js';
import { type BatchWriter, CommitUnanswered, type WrittenBatch } from './batch-writer.js';
import { DuplicateRow, LogContradicted, type Outcome } from './append.js';
import type { RecordedEvent } from '../log/event.js';
import type { LaneOptions } from '../options.js';
import {
  AppError,
  InternalError,
  OutcomeUnknown,
  Overloaded,
  ServiceUnavailable,
} from '../../platform/errors/index.js';

export interface LaneEvents {
  batch(partition: number, commands: number, events: number, seconds: number): void;
  fault(partition: number, error: unknown): void;
  /** The partition has no head row, or events beyond the head: the next position is taken. */
  contradicted(partition: number): void;
  /** A command was refused: the queue is full, or its oldest command waits too long. */
  refused(partition: number): void;
  /** @param events at least one, in the order of the log */
  appended(partition: number, events: readonly RecordedEvent[]): void;
}

interface Waiting extends Submission {
  /** Of the monotonic clock, like every time that is compared here: the wall clock may jump. */
  readonly deadline: number;
  resolve(answer: LaneAnswer): void;
  reject(error: unknown): void;
}

/** What a command did, or where its events are in the log already. */
export type LaneAnswer = Outcome | (ExistingEvents & { readonly replayed: boolean });

const RETRY_PAUSE_MS = 50;
/** Attempts of a batch whose fault may be transient or in its data. */
const UNCLEAR_TRIES = 3;

/**
 * The write lane of one partition in this process. Commands queue in memory; whatever has gathered while a
 * batch was being written forms the next one, and each batch is one transaction ("group commit").
 */
export class Lane {
  readonly #queue: Waiting[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;
  /** Moving average of a batch's time. */
  #batchMs = 0;

  constructor(
    private readonly partition: number,
    private readonly writer: BatchWriter,
    private readonly options: LaneOptions,
    private readonly events: LaneEvents,
  ) {}

  get waiting(): number {
    return this.#queue.length;
  }

  /** @throws ServiceUnavailable when the queue is full or the service is stopping */
  submit(submission: Submission): Promise<LaneAnswer> {
    if (this.#closed) return Promise.reject(new ServiceUnavailable('The service is stopping.'));
    const now = performance.now();
    if (this.#isOverloaded(now)) {
      this.events.refused(this.partition);
      return Promise.reject(new Overloaded('Too many requests are waiting. Nothing was done.'));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...submission, deadline: now + this.options.deadline, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Refuses new commands, drains the queue, closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.writer.close();
  }

  /**
   * By length, and by time: with a slow database a short queue is a long wait already. One batch may always gather,
   * unless its oldest command shows that the lane is stuck.
   */
  #isOverloaded(now: number): boolean {
    const [oldest] = this.#queue;
    if (!oldest) return false;
    const { batchSize, queueSize, maxQueueWait, deadline } = this.options;
    const waiting = this.#queue.length;
    const wait = (1 + Math.floor(waiting / batchSize)) * this.#batchMs;
    return (
      waiting >= queueSize ||
      now - (oldest.deadline - deadline) > maxQueueWait ||
      (waiting >= batchSize && wait > maxQueueWait)
    );
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const next = this.#queue.splice(0, this.options.batchSize);
      // After an outage, commands whose callers have timed out are not attempted.
      const begun = performance.now();
      await this.#flush(this.#dropExpired(next));
      this.#batchMs = (this.#batchMs + performance.now() - begun) / 2;
    }
    this.#draining = undefined;
  }

  /** Writes the commands, as one batch where possible; answers each of them. */
  async #flush(commands: readonly Waiting[]): Promise<void> {
    let pending = commands;
    let unclear = 0;
    while (pending.length > 0) {
      try {
        await this.#write(pending);
        return;
      } catch (fault) {
        this.events.fault(this.partition, fault);
        if (fault instanceof CommitUnanswered) {
          const committed = await this.#wasCommitted(fault, Math.max(...pending.map((waiting) => waiting.deadline)));
          if (committed === undefined) pending.forEach((waiting) => waiting.reject(new OutcomeUnknown()));
          else if (committed) this.#answer(pending, fault.written);
          if (committed !== false) return;
        } else if (fault instanceof LogContradicted) {
          this.events.contradicted(this.partition);
          pending.forEach((waiting) => waiting.reject(fault));
          return;
        } else if (classifyFault(fault) !== 'transient' && !(isUnclear(fault) && (unclear += 1) < UNCLEAR_TRIES)) {
          if (pending.length > 1) for (const waiting of pending) await this.#flush([waiting]);
          else pending[0]!.reject(await this.#errorOf(fault));
          return;
        }
        await new Promise((resume) => setTimeout(resume, RETRY_PAUSE_MS));
        pending = this.#dropExpired(pending);
      }
    }
  }

  /** The error of a command whose data are at fault, or whose position is taken by an event beyond the head. */
  async #errorOf(fault: unknown): Promise<AppError> {
    if (!isDuplicate(fault)) return new InternalError();
    if (!(await this.writer.isTakenBeyondHead().catch(() => false))) return new DuplicateRow();
    this.events.contradicted(this.partition);
    return new LogContradicted();
  }

  #dropExpired(pending: readonly Waiting[]): readonly Waiting[] {
    const now = performance.now();
    const late = pending.filter((waiting) => waiting.deadline <= now);
    late.forEach((waiting) =>
      waiting.reject(new ServiceUnavailable('The database is not available. Nothing was done.')),
    );
    return late.length === 0 ? pending : pending.filter((waiting) => waiting.deadline > now);
  }

  async #write(pending: readonly Waiting[]): Promise<void> {
    const started = performance.now();
    const written = await this.writer.write(pending);
    this.#answer(pending, written);
    const { length } = written.events;
    if (length > 0) this.events.batch(this.partition, pending.length, length, (performance.now() - started) / 1000);
  }

  #answer(pending: readonly Waiting[], { decisions, events }: WrittenBatch): void {
    decisions.forEach((decision, i) => answer(pending[i]!, decision));
    if (events.length > 0) this.events.appended(this.partition, events);
  }

  /** @returns `undefined` when it could not be found out before the deadline */
  async #wasCommitted(unanswered: CommitUnanswered, deadline: number): Promise<boolean | undefined> {
    while (performance.now() < deadline) {
      try {
        return await this.writer.wasCommitted(unanswered);
      } catch (error) {
        this.events.fault(this.partition, error);
        await new Promise((resume) => setTimeout(resume, RETRY_PAUSE_MS));
      }
    }
    return undefined;
  }
}

function answer(waiting: Waiting, decision: Decision): void {
  switch (decision.kind) {
    case 'appended':
      return waiting.resolve(decision.outcome);
    case 'existing':
      return waiting.resolve(decision);
    case 'refused':
      return waiting.reject(decision.error instanceof AppError ? decision.error : new UnexpectedFault(decision.error));
  }
}

/** A decider or projection failed for a reason that is not in the input: a defect. The caller gets no details. */
class UnexpectedFault extends InternalError {
  override readonly cause: unknown;

  constructor(cause: unknown) {
    super();
    this.cause = cause;
  }
}
