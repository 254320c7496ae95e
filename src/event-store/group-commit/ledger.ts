import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Database, type PipelinedConnection } from '../../platform/database/index.js';
import { type AppError, NotApplied, resultOf, ServiceUnavailable } from '../../platform/errors/index.js';
import { Tracing } from '../../platform/observability/tracing/index.js';
import { BatchWriter } from './batch-writer.js';
import { type Append, asAppError, isAwaited, type Outcome, PartRefused, type Together } from './append.js';
import { Asked } from './asked.js';
import { CommandSpans } from './command-spans.js';
import { EventLog } from '../log/event-log.js';
import { assertKeys, WrongKey } from '../subjects/fingerprints.js';
import type { RequestMark } from '../log/event.js';
import { REGISTRY_PARTITION } from '../log/identifiers.js';
import {
  assertSameRequest,
  type IdempotencyKey,
  idempotencyProjection,
  type IdempotencyRow,
  isSameRequest,
  markOf,
  RequestKeyReused,
} from './idempotency.js';
import { Lane, type LaneAnswer, type Refused } from './lane.js';
import { LogTail } from '../registry/log-tail.js';
import { EventStoreMetrics } from '../metrics.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { PersonalDataCodec } from '../subjects/personal-data-codec.js';
import { InlineProjections } from './inline-projections.js';
import type { Preview } from './preview.js';
import { Previewer } from './previewer.js';
import { type ExistingEvents, readingAlso, readingMore, type Submission, type Subjects } from './submission.js';
import { RowsWanted } from '../projections/inline-projection.js';
import { RecentEvents } from '../log/recent-events.js';
import { WakeUp } from '../log/wake-up.js';

/** The actor of what is decided and not kept. */
const NOBODY = { actor: '' };

/** What the commands of one request have in common. */
interface Shared {
  /** A subject that is new has one identifier, whichever command names it first. */
  readonly named: Subjects;
  /** Made once: the text of the request is as long as all of them. */
  readonly requestMark: RequestMark | undefined;
}

/**
 * The write side of the log. A command is decided on the rows that it reads, and its events are appended in a group
 * commit: when `execute` resolves, they are durable and visible to every read.
 */
@Injectable()
export class Ledger implements OnApplicationShutdown {
  readonly #lanes = new Map<number, Lane>();
  readonly #logger = new Logger(Ledger.name);
  readonly #spans: CommandSpans | undefined;
  #wrongKey: WrongKey | undefined;
  #onContradicted: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly tail: LogTail,
    private readonly projections: InlineProjections,
    private readonly codec: PersonalDataCodec,
    private readonly wakeUp: WakeUp,
    private readonly recent: RecentEvents,
    private readonly metrics: EventStoreMetrics,
    private readonly asked: Asked,
    tracing: Tracing,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: EventStoreOptions,
  ) {
    this.#spans = tracing.tracer && new CommandSpans(tracing.tracer);
    metrics.queues(() => this.waiting(), options.lane.queueSize);
  }

  /**
   * @returns the command's events, or those of the earlier command with the same idempotency key
   * @throws what `decide` throws; ConflictError (`IdempotencyKeyReuse`) for another request under the key;
   *   ServiceUnavailable when nothing was done; OutcomeUnknown when that could not be found out
   * @param preview present if it is only to be seen what it would do
   */
  execute(append: Append, preview?: Preview): Promise<Outcome> {
    if (preview) return this.#preview(append, preview);
    return this.#spans ? this.#spans.run(append, (traced) => this.#execute(traced)) : this.#execute(append);
  }

  /**
   * The outcome of an idempotency key, or else that of `work`: for handlers that call the rail before they can decide.
   * The key comes before every rule that depends on state (decisions 5). Two requests at once may both find nothing:
   * `execute` detects that.
   * @throws ConflictError (`IdempotencyKeyReuse`) for another request under the key
   */
  async unlessDone<T = Outcome>(
    partition: number,
    key: IdempotencyKey | undefined,
    work: () => Promise<T>,
    preview?: Preview,
  ): Promise<Outcome | T> {
    const earlier = key && (await this.#earlier(partition, key));
    if (!earlier) return work();
    if (preview)
      return this.#preview({ partition, reads: {}, decide: () => [], metadata: NOBODY, idempotency: key }, preview);
    return this.#existing(partition, { ...earlier, replayed: true });
  }

  /**
   * For a request of many of which no command may be left for `executeAll`.
   * @throws ConflictError (`IdempotencyKeyReuse`) for another request under its key
   */
  async assertSameRequest(partition: number, key: IdempotencyKey | undefined): Promise<void> {
    if (key) await this.#earlier(partition, key);
  }

  /** @throws ConflictError for another request under the key */
  async #earlier(partition: number, key: IdempotencyKey): Promise<IdempotencyRow | undefined> {
    const mark = markOf(key, this.codec);
    const [row] = await this.database.lookUp(idempotencyProjection.load(partition, [mark.id]));
    const earlier = row && idempotencyProjection.parse(row);
    if (earlier) assertSameRequest(earlier, mark, key);
    return earlier;
  }

  /**
   * Executes the commands of one request, at least one and all of one partition, in their order: each is decided on what
   * those before it did. They queue apart from single commands, so that these are not delayed by many.
   * @returns for each command what it did, or why it was refused; of atomic ones, NotApplied for those beside the refused
   * @throws ConflictError (`IdempotencyKeyReuse`) for another request under their `requestIdempotency`; Overloaded when
   *   the owner's commands that wait are too many already
   */
  executeAll(
    appends: readonly Append[],
    together: Together,
    preview?: Preview,
  ): Promise<readonly (Outcome | AppError)[]> {
    if (preview) return this.#previewAll(appends, together.atomic, preview);
    const run = (all: readonly Append[]) => this.#executeAll(all, together);
    return this.#spans ? this.#spans.runAll(appends, run) : run(appends);
  }

  async #executeAll(appends: readonly Append[], together: Together): Promise<readonly (Outcome | AppError)[]> {
    this.#assertUsable();
    const { partition } = appends[0]!;
    const shared = this.#sharedWith(appends[0]!);
    const submissions = appends.map((append) => this.#submission(append, shared));
    this.asked.many += appends.length;
    const answers = together.atomic
      ? await this.#submitTogether(partition, submissions, together.owner)
      : await this.#submitAll(partition, submissions, together.owner);
    const conflict = answers.find((answer) => refusalOf(answer) instanceof RequestKeyReused);
    if (conflict) throw refusalOf(conflict)!;
    return this.#outcomes(partition, answers);
  }

  /**
   * A command that wants more rows is submitted again with them, and those behind it that waited, with those that they
   * would want. An outage may have ended others of these meanwhile.
   */
  async #submitAll(
    partition: number,
    submissions: readonly Submission[],
    owner: string,
  ): Promise<(LaneAnswer | Refused)[]> {
    const sequence = { isHeldUp: false };
    const inOrder = submissions.map((submission) => ({ ...submission, sequence }));
    const answers = [...(await this.#lane(partition).submitAll(owner, inOrder))];
    const held = [...answers.keys()].flatMap((i) => {
      const refusal = refusalOf(answers[i]!);
      return refusal instanceof RowsWanted ? [{ i, reads: refusal.reads }] : [];
    });
    if (held.length === 0) return answers;
    const again = held.map(({ i, reads }, n) => (n === 0 ? readingMore : readingAlso)(submissions[i]!, reads));
    // The others are answered: whatever happens now is an answer to these alone.
    const later = await this.#submitAll(partition, again, owner).catch((error: unknown) =>
      again.map(() => ({ refusal: asAppError(error) })),
    );
    held.forEach(({ i }, n) => (answers[i] = later[n]!));
    return answers;
  }

  async #submitTogether(
    partition: number,
    parts: readonly Submission[],
    owner: string,
  ): Promise<readonly (LaneAnswer | Refused)[]> {
    try {
      return await this.#lane(partition).submitTogether(owner, parts);
    } catch (error) {
      if (!(error instanceof PartRefused)) throw error;
      const { index, refusal } = error;
      if (!(refusal instanceof RowsWanted)) return this.#notApplied(partition, parts, index, refusal);
      return this.#submitTogether(partition, parts.with(index, readingMore(parts[index]!, refusal.reads)), owner);
    }
  }

  /** What was done before, under the keys of the others, was done all the same. */
  async #notApplied(
    partition: number,
    parts: readonly Submission[],
    index: number,
    refusal: AppError,
  ): Promise<readonly (LaneAnswer | Refused)[]> {
    const ids = parts.flatMap(({ mark }) => (mark ? [mark.id] : []));
    const rows = ids.length > 0 ? await this.database.lookUp(idempotencyProjection.load(partition, ids)) : [];
    const earlier = new Map(rows.map((row) => idempotencyProjection.parse(row)).map((row) => [row.id, row]));
    const notApplied = { refusal: new NotApplied() };
    return parts.map(({ mark, append: { idempotency } }, i) => {
      if (i === index) return { refusal };
      const done = mark && earlier.get(mark.id);
      return done && isSameRequest(done, mark, idempotency!) ? { ...done, replayed: true } : notApplied;
    });
  }

  async #outcomes(
    partition: number,
    answers: readonly (LaneAnswer | Refused)[],
  ): Promise<readonly (Outcome | AppError)[]> {
    const existing = answers.filter((answer) => 'position' in answer);
    const found = existing.length > 0 ? await resultOf(this.log.readRanges(partition, existing)) : undefined;
    return answers.map((answer) => {
      if ('position' in answer) return { events: found!.get(answer.position)!, replayed: answer.replayed };
      return 'refusal' in answer ? answer.refusal : answer;
    });
  }

  async #preview(append: Append, preview: Preview): Promise<Outcome> {
    const [outcome] = await this.#previewAll([append], false, preview);
    if ('events' in outcome!) return outcome;
    throw outcome!;
  }

  async #previewAll(
    appends: readonly Append[],
    atomic: boolean,
    preview: Preview,
  ): Promise<readonly (Outcome | AppError)[]> {
    const shared = this.#sharedWith(appends[0]!);
    const submission = (append: Append) => this.#submission(append, shared);
    const previewer = new Previewer(this.database, this.projections.all(), this.codec, submission);
    return this.#outcomes(appends[0]!.partition, await previewer.decide(appends, atomic, preview));
  }

  #assertUsable(): void {
    if (this.#wrongKey) throw new ServiceUnavailable('This process has to be restarted. Nothing was done.');
  }

  async #execute(append: Append): Promise<Outcome> {
    this.#assertUsable();
    if (isAwaited(append)) this.asked.single += 1;
    const outcome = await this.#submit(this.#submission(append));
    // Read your writes: the service's caches drop what the registry's change invalidates.
    if (append.partition === REGISTRY_PARTITION) await this.tail.catchUpEverywhere();
    return 'position' in outcome ? this.#existing(append.partition, outcome) : outcome;
  }

  /** A command that reads more is the same one: a new subject keeps the id that rows were asked for by. */
  async #submit(submission: Submission): Promise<Outcome | (ExistingEvents & { readonly replayed: boolean })> {
    try {
      return await this.#lane(submission.append.partition).submit(submission);
    } catch (error) {
      if (!(error instanceof RowsWanted)) throw error;
      return this.#submit(readingMore(submission, error.reads));
    }
  }

  async #existing(
    partition: number,
    { position, events, replayed }: ExistingEvents & { replayed: boolean },
  ): Promise<Outcome> {
    return { events: await resultOf(this.log.readFrom(partition, position, events)), replayed };
  }

  /** Commands waiting, by partition. */
  waiting(): ReadonlyMap<number, number> {
    return new Map([...this.#lanes].map(([partition, lane]) => [partition, lane.waiting]));
  }

  /** @param listener called when a partition's log contradicts its head, so that it is verified at once */
  onContradicted(listener: () => void): void {
    this.#onContradicted = listener;
  }

  /** Why nothing can be written, other than the database; `undefined` while it can. */
  get problem(): string | undefined {
    return this.#wrongKey?.message;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
  }

  #sharedWith({ requestIdempotency }: Append): Shared {
    return { named: new Map(), requestMark: requestIdempotency && markOf(requestIdempotency, this.codec) };
  }

  #submission(append: Append, { named, requestMark }: Shared = this.#sharedWith(append)): Submission {
    const subjects = (append.subjects ?? []).map((subject) => {
      const known = named.get(subject.clear);
      if (known) return [subject.clear, known] as const;
      const made = { lookup: this.codec.lookupOf(subject) };
      named.set(subject.clear, made);
      return [subject.clear, made] as const;
    });
    return {
      append,
      eventIds: [],
      subjects: new Map(subjects),
      mark: append.idempotency && markOf(append.idempotency, this.codec),
      requestMark,
    };
  }

  #lane(partition: number): Lane {
    let lane = this.#lanes.get(partition);
    if (!lane) {
      lane = new Lane(
        partition,
        new BatchWriter(partition, () => this.#openLane(partition), this.projections.all(), this.codec),
        this.options.lane,
        {
          batch: (...measured) => {
            this.metrics.batch(...measured);
            this.#spans?.batch(...measured);
          },
          fault: (where, error) => {
            this.metrics.fault(where);
            this.#logger.warn({ err: error, partition: where }, 'a batch failed');
          },
          contradicted: (where) => {
            this.#logger.error({ partition: where }, 'THE LOG CONTRADICTS ITS HEAD: nothing can be appended there');
            this.#onContradicted();
          },
          refused: (where) => {
            if (this.metrics.refused(where))
              this.#logger.warn({ partition: where }, 'commands are refused: the queue is full or too slow');
          },
          appended: (where, events) => {
            if (this.options.follows) this.recent.append(where, events);
            this.wakeUp.signalAppended(where, new Set(events.map(({ type }) => type)));
          },
        },
      );
      this.#lanes.set(partition, lane);
      this.metrics.lane(partition);
    }
    return lane;
  }

  /**
   * While this process had no connection, the master key may have been rotated: keys that it wraps with the old one
   * could never be unwrapped. Either the rotation sees this connection, or this check sees its result.
   * @throws WrongKey
   */
  async #openLane(partition: number): Promise<PipelinedConnection> {
    const connection = await this.database.openLane(partition);
    try {
      await assertKeys(connection.guard.length > 0 ? this.database.inBackground : connection, {
        MASTER_KEY: this.options.masterKey,
      });
      return connection;
    } catch (error) {
      if (error instanceof WrongKey) this.#wrongKey = error;
      connection.destroy();
      throw error;
    }
  }
}

function refusalOf(answer: LaneAnswer | Refused): AppError | undefined {
  return 'refusal' in answer ? answer.refusal : undefined;
}
