import { classifyFault, isDuplicate, isUnclear, sqlState } from '../../platform/database/index.js';
import { type Decision, wantsRows } from './decision.js';
import { type BatchWriter, CommitUnanswered, type WrittenBatch } from './batch-writer.js';
import { isAwaited } from './append.js';
import { HEAD_HAS_MOVED } from './batch-statements.js';
import { asAppError, DuplicateRow } from './errors.js';
import { answerOf, type LaneAnswer, type Refused } from './lane-answer.js';
import type { LaneConnection } from './lane-connection.js';
import { LaneQueue, type Queued } from './lane-queue.js';
import { LogChecks, RETRY_PAUSE_MS } from './log-checks.js';
import { ManyRoom } from './many-room.js';
import type { RecordedEvent } from '../log/event.js';
import { LogContradicted } from '../log/log-contradicted.js';
import type { LaneOptions } from '../options.js';
import { commandsOf, type Submission } from './submission.js';
import {
  type AppError,
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
  /** The log does not have an event that was answered, at this position: it was put back. */
  lost(partition: number, position: bigint): void;
  /** A command was refused: the queue is full, its oldest command waits too long, or a new one would. */
  refused(partition: number): void;
  /** @param events at least one, in the order of the log */
  appended(partition: number, events: readonly RecordedEvent[]): void;
}

interface Waiting extends Submission, Queued {
  readonly parts?: readonly Submission[];
  resolve(answer: LaneAnswer | readonly LaneAnswer[]): void;
  reject(error: AppError): void;
}

/** Attempts of a batch whose fault may be transient or in its data. */
const UNCLEAR_TRIES = 3;

/**
 * The write lane of one partition in this process. Commands queue in memory; whatever has gathered while a
 * batch was being written forms the next one, and each batch is one transaction ("group commit").
 */
export class Lane {
  readonly #queue: LaneQueue<Waiting>;
  readonly #room: ManyRoom;
  readonly #checks: LogChecks;
  #draining: Promise<void> | undefined;
  #closed = false;
  /** Moving average of a batch's time. */
  #batchMs = 0;

  constructor(
    private readonly partition: number,
    private readonly connection: LaneConnection,
    private readonly writer: BatchWriter,
    private readonly options: LaneOptions,
    private readonly events: LaneEvents,
  ) {
    this.#queue = new LaneQueue(options);
    this.#room = new ManyRoom(options.batchSize);
    this.#checks = new LogChecks(partition, connection, (error) => events.fault(partition, error));
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** @throws ServiceUnavailable when the queue is full or the service is stopping */
  submit(submission: Submission): Promise<LaneAnswer> {
    const now = performance.now();
    const refusal = this.#refusal(this.#queue.isTooLong(now, this.#batchMs));
    if (refusal) return Promise.reject(refusal);
    if (isAwaited(submission.append)) this.#room.singleCame(now);
    return new Promise((resolve, reject) => {
      const answered = resolve as Waiting['resolve'];
      this.#queue.push({ ...submission, deadline: now + this.options.deadline, resolve: answered, reject });
      this.#draining ??= this.#drain();
    });
  }

  /**
   * Commands of one request, decided in their order, each by itself.
   * @throws as `submit`, for all of them
   */
  submitAll(owner: string, submissions: readonly Submission[]): Promise<readonly (LaneAnswer | Refused)[]> {
    const now = performance.now();
    const refusal = this.#refusal(this.#queue.isTooLongFor(owner, submissions.length, now));
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve) => {
      const answers: (LaneAnswer | Refused)[] = [];
      let left = submissions.length;
      const answered = (i: number, answer: LaneAnswer | Refused) => {
        answers[i] = answer;
        if ((left -= 1) === 0) resolve(answers);
      };
      this.#enqueue(
        owner,
        now,
        submissions.map((submission, i) => ({
          ...submission,
          resolve: (answer) => answered(i, answer as LaneAnswer),
          reject: (error) => answered(i, { refusal: error }),
        })),
      );
    });
  }

  /**
   * Commands of one request that are appended in one commit, or none of them.
   * @throws PartRefused; as `submit`
   */
  submitTogether(owner: string, parts: readonly Submission[]): Promise<readonly LaneAnswer[]> {
    const now = performance.now();
    const refusal = this.#refusal(this.#queue.isTooLongFor(owner, parts.length, now));
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      const answered = resolve as Waiting['resolve'];
      this.#enqueue(owner, now, [{ ...parts[0]!, parts, resolve: answered, reject }]);
    });
  }

  #enqueue(owner: string, now: number, commands: readonly Omit<Waiting, 'deadline'>[]): void {
    const deadline = now + this.options.deadline;
    this.#queue.pushAll(
      owner,
      commands.map((command) => ({ ...command, deadline })),
    );
    this.#draining ??= this.#drain();
  }

  #refusal(isOverloaded: boolean): ServiceUnavailable | undefined {
    if (this.#closed) return new ServiceUnavailable('The service is stopping.');
    if (!isOverloaded) return undefined;
    this.events.refused(this.partition);
    return new Overloaded('Too many requests are waiting. Nothing was done.');
  }

  /** Refuses new commands, drains the queue, closes the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await this.connection.close();
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    while (!this.#queue.isEmpty) {
      const begun = performance.now();
      const { single, many } = this.#queue.take(this.#room.at(begun));
      // After an outage, commands whose callers have timed out are not attempted.
      await this.#flush(this.#dropExpired([...single, ...many]));
      const now = performance.now();
      this.#batchMs = (this.#batchMs + now - begun) / 2;
      this.#room.wrote(now, now - begun, single.length + many.length, many.length);
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
          const committed = await this.#checks.wasCommitted(
            fault,
            Math.max(...pending.map((waiting) => waiting.deadline)),
          );
          if (committed === undefined) pending.forEach((waiting) => waiting.reject(new OutcomeUnknown()));
          else if (committed) this.#answer(pending, fault.written);
          if (committed !== false) return;
        } else if (fault instanceof LogContradicted) {
          this.events.contradicted(this.partition);
          pending.forEach((waiting) => waiting.reject(fault));
          return;
        } else if (classifyFault(fault) !== 'transient' && !(isUnclear(fault) && (unclear += 1) < UNCLEAR_TRIES)) {
          // Each takes its time: where that is an outage, those at the end would be made long after their deadline.
          if (pending.length > 1) for (const waiting of pending) await this.#flush(this.#dropExpired([waiting]));
          else pending[0]!.reject(await this.#errorOf(pending[0]!, fault));
          return;
        }
        await new Promise((resume) => setTimeout(resume, RETRY_PAUSE_MS));
        pending = this.#dropExpired(pending);
      }
    }
  }

  /** The error of a command whose data are at fault, or whose position is taken by an event beyond the head. */
  async #errorOf({ append }: Submission, fault: unknown): Promise<AppError> {
    // Of the head's own it is not: the last try has locked it.
    if (append.requires && sqlState(fault) === HEAD_HAS_MOVED)
      return new ServiceUnavailable('What was stored for this is gone. Nothing was done.');
    if (!isDuplicate(fault)) return new InternalError();
    if (!(await this.#checks.isTakenBeyondHead().catch(() => false))) return new DuplicateRow();
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
    if (length === 0) return;
    this.events.batch(this.partition, commandsOf(pending).length, length, (performance.now() - started) / 1000);
  }

  #answer(pending: readonly Waiting[], { decisions, events }: WrittenBatch): void {
    decisions.forEach((decision, i) => answer(pending[i]!, decision));
    if (events.length === 0) return;
    this.writer.answered(events.at(-1)!);
    this.events.appended(this.partition, events);
  }
}

function answer(waiting: Waiting, decision: Decision): void {
  if (decision.kind === 'refused') {
    if (waiting.sequence && wantsRows(decision)) waiting.sequence.isHeldUp = true;
    waiting.reject(asAppError(decision.error));
  } else if (decision.kind === 'together') {
    waiting.resolve(decision.decisions.map(answerOf));
  } else {
    waiting.resolve(answerOf(decision));
  }
}
