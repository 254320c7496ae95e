import type { Database } from '../../platform/database/index.js';
import { NotApplied } from '../../platform/errors/index.js';
import { type InlineProjection, RowsWanted } from '../projections/inline-projection.js';
import type { PersonalDataCodec } from '../subjects/personal-data-codec.js';
import type { Append } from './append.js';
import { Batch, type BatchRows } from './batch.js';
import type { Decision } from './decision.js';
import { asAppError } from './errors.js';
import { BatchReads } from './batch-reads.js';
import { parseHead, readHead, readNewestTime } from './batch-statements.js';
import { RequestKeyReused } from './idempotency.js';
import { answerOf, type LaneAnswer, type Refused } from './lane-answer.js';
import type { Preview } from './preview.js';
import { readingAlso, readingMore, type Submission, submissionsOf } from './submission.js';

/** Decides commands as a lane does, without its lock: on one snapshot of the database, and nothing is kept. */
export class Previewer {
  constructor(
    private readonly database: Database,
    private readonly projections: readonly InlineProjection[],
    private readonly codec: PersonalDataCodec,
  ) {}

  /**
   * @param atomic whether a refusal is one of all
   * @throws ConflictError (`IdempotencyKeyReuse`) for another request under the key of the whole
   */
  async decide(
    appends: readonly Append[],
    atomic: boolean,
    preview: Preview,
  ): Promise<readonly (LaneAnswer | Refused)[]> {
    let reading = submissionsOf(appends, this.codec).map((one) => readingAlso(one, preview.reads));
    for (;;) {
      const decided = await this.#decideOnce(reading, atomic, preview);
      if (!decided.some(wantsMore)) return decided;
      reading = reading.map((submission, i) => {
        const answer = decided[i];
        return answer && wantsMore(answer) ? readingMore(submission, answer.refusal.reads) : submission;
      });
    }
  }

  /** Where one wants rows, the others are decided only to find out whether they do too: all are decided again. */
  async #decideOnce(
    pending: readonly Submission[],
    atomic: boolean,
    preview: Preview,
  ): Promise<readonly (LaneAnswer | Refused)[]> {
    const { batch, rows } = await this.#load(pending[0]!.append.partition, pending, preview.owner);
    const answers: (LaneAnswer | Refused)[] = [];
    for (const submission of pending) {
      const decision = batch.decide(submission);
      if (decision.kind === 'refused') {
        const refused = { refusal: asAppError(decision.error) };
        if (refused.refusal instanceof RequestKeyReused) throw refused.refusal;
        answers.push(refused);
      } else {
        preview.add(submission.append, rows.rows, toldBy(decision), batch.at);
        answers.push(answerOf(decision));
      }
    }
    if (!atomic || answers.some(wantsMore)) return answers;
    const first = answers.find((answer) => 'refusal' in answer);
    // What was done before was done all the same.
    const stays = (answer: LaneAnswer | Refused) => answer === first || 'position' in answer;
    return first ? answers.map((answer) => (stays(answer) ? answer : { refusal: new NotApplied() })) : answers;
  }

  async #load(
    partition: number,
    pending: readonly Submission[],
    owner: string,
  ): Promise<{ batch: Batch; rows: BatchRows }> {
    const reads = BatchReads.ofAll(partition, this.projections, pending);
    const statements = [readHead(partition), readNewestTime(partition), ...reads.statements];
    const [found, newest, ...results] = await this.database.inTurn(owner, () => this.database.snapshot(statements));
    const head = parseHead(found![0], newest![0]);
    const rows = reads.parse(results.map((its) => ({ rows: its })));
    const at = new Date(Math.max(Date.now(), head.time.getTime()));
    return { batch: new Batch(this.projections, this.codec, partition, head, rows, at), rows };
  }
}

const wantsMore = (answer: LaneAnswer | Refused): answer is { readonly refusal: RowsWanted } =>
  'refusal' in answer && answer.refusal instanceof RowsWanted;

/** A replay would do nothing more: it has no events of its own. */
function toldBy(decision: Decision) {
  return decision.kind === 'appended' ? decision.outcome : { events: [], replayed: true };
}
