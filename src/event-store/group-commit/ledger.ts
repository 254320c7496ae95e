import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { type AppError, resultOf } from '../../platform/errors/index.js';
import { type Append, isAwaited, type Outcome, type Together } from './append.js';
import { AwaitedCommands } from './awaited-commands.js';
import { CommandSpans } from './command-spans.js';
import { EventLog } from '../log/event-log.js';
import { REGISTRY_PARTITION } from '../log/identifiers.js';
import { LogContradicted } from '../log/log-contradicted.js';
import {
  assertSameRequest,
  type IdempotencyKey,
  idempotencyProjection,
  type IdempotencyRow,
  markOf,
  RequestKeyReused,
} from './idempotency.js';
import { type LaneAnswer, type Refused, refusalOf } from './lane-answer.js';
import { Lanes, type LostEvent } from './lanes.js';
import { RequestsOfMany } from './requests-of-many.js';
import { RegistryTail } from '../registry/registry-tail.js';
import { PersonalDataCodec } from '../subjects/personal-data-codec.js';
import { InlineProjections } from './inline-projections.js';
import type { Preview } from './preview.js';
import { Previewer } from './previewer.js';
import {
  areOfKey,
  type ExistingEvents,
  readingMore,
  type Submission,
  submissionOf,
  submissionsOf,
} from './submission.js';
import { RowsWanted } from '../projections/inline-projection.js';

/** The actor of what is decided and not kept. */
const NOBODY = { actor: '' };

/**
 * The write side of the log. A command is decided on the rows that it reads, and its events are appended in a group
 * commit: when `execute` resolves, they are durable and visible to every read.
 */
@Injectable()
export class Ledger {
  constructor(
    private readonly lanes: Lanes,
    private readonly many: RequestsOfMany,
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly tail: RegistryTail,
    private readonly projections: InlineProjections,
    private readonly codec: PersonalDataCodec,
    private readonly awaited: AwaitedCommands,
    private readonly spans: CommandSpans,
  ) {}

  /**
   * @returns the command's events, or those of the earlier command with the same idempotency key
   * @throws what `decide` throws; ConflictError (`IdempotencyKeyReuse`) for another request under the key;
   *   ServiceUnavailable when nothing was done; OutcomeUnknown when that could not be found out; LogContradicted when
   *   the key's row names events of another command
   * @param preview present in a dry run
   */
  execute(append: Append, preview?: Preview): Promise<Outcome> {
    if (preview) return this.#preview(append, preview);
    return this.spans.run(append, (traced) => this.#execute(traced));
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
   * Executes the commands of one request, at least one and all of one partition, in their order: each is decided on
   * what those before it did. They queue apart from single commands, so that these are not delayed by many.
   * @returns for each command what it did, or why it was refused; of atomic ones, NotApplied for those beside the
   *   refused
   * @throws ConflictError (`IdempotencyKeyReuse`) for another request under their `requestIdempotency`; Overloaded when
   *   the owner's commands that wait are too many already
   */
  executeAll(
    appends: readonly Append[],
    together: Together,
    preview?: Preview,
  ): Promise<readonly (Outcome | AppError)[]> {
    if (preview) return this.#previewAll(appends, together.atomic, preview);
    return this.spans.runAll(appends, (traced) => this.#executeAll(traced, together));
  }

  async #executeAll(appends: readonly Append[], together: Together): Promise<readonly (Outcome | AppError)[]> {
    this.lanes.assertUsable();
    const { partition } = appends[0]!;
    const submissions = submissionsOf(appends, this.codec);
    this.awaited.many += appends.length;
    const answers = await this.many.submit(partition, submissions, together);
    const conflict = answers.find((answer) => refusalOf(answer) instanceof RequestKeyReused);
    if (conflict) throw refusalOf(conflict)!;
    return this.#outcomes(partition, answers);
  }

  async #outcomes(
    partition: number,
    answers: readonly (LaneAnswer | Refused)[],
  ): Promise<readonly (Outcome | AppError)[]> {
    const existing = answers.filter((answer) => 'position' in answer);
    const found = existing.length > 0 ? await resultOf(this.log.readRanges(partition, existing)) : undefined;
    return answers.map((answer) => {
      if ('position' in answer) {
        const events = found!.get(answer.position)!;
        if (!areOfKey(events, answer)) return this.#contradicted(partition);
        return { events, replayed: answer.replayed };
      }
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
    const previewer = new Previewer(this.database, this.projections.all(), this.codec);
    return this.#outcomes(appends[0]!.partition, await previewer.decide(appends, atomic, preview));
  }

  async #execute(append: Append): Promise<Outcome> {
    this.lanes.assertUsable();
    if (isAwaited(append)) this.awaited.single += 1;
    const answer = await this.#submit(submissionOf(append, this.codec));
    const outcome = 'position' in answer ? await this.#existing(append.partition, answer) : answer;
    // Read your writes: the service's caches drop what the registry's change invalidates.
    if (append.partition === REGISTRY_PARTITION) await this.tail.appended(outcome.events);
    return outcome;
  }

  /** A command that reads more is the same one: a new subject keeps the id that rows were asked for by. */
  async #submit(submission: Submission): Promise<LaneAnswer> {
    try {
      return await this.lanes.of(submission.append.partition).submit(submission);
    } catch (error) {
      if (!(error instanceof RowsWanted)) throw error;
      return this.#submit(readingMore(submission, error.reads));
    }
  }

  async #existing(partition: number, existing: ExistingEvents & { replayed: boolean }): Promise<Outcome> {
    const events = await resultOf(this.log.readFrom(partition, existing.position, existing.events));
    if (!areOfKey(events, existing)) throw this.#contradicted(partition);
    return { events, replayed: existing.replayed };
  }

  #contradicted(partition: number): LogContradicted {
    this.lanes.keyContradicted(partition);
    return new LogContradicted('The log contradicts the row of this Idempotency-Key');
  }

  /** @param listener as `Lanes.onLost` */
  onLost(listener: (lost: LostEvent) => void): void {
    this.lanes.onLost(listener);
  }

  /** @param listener called when a partition's log contradicts its head, so that it is verified at once */
  onContradicted(listener: () => void): void {
    this.lanes.onContradicted(listener);
  }
}
