import type { Database } from '../../platform/database/index.js';
import { NotApplied } from '../../platform/errors/index.js';
import { type InlineProjection, type Reads, RowsWanted } from '../projections/inline-projection.js';
import type { PersonalDataCodec } from '../subjects/personal-data-codec.js';
import { type Append, LogContradicted } from './append.js';
import { Batch, type BatchRows, type Decision, type Submission } from './batch.js';
import { BatchReads } from './batch-reads.js';
import { parseHead, readHead } from './batch-statements.js';
import { RequestKeyReused } from './idempotency.js';
import { answerOf, type LaneAnswer, refusalOf, type Refused } from './lane.js';
import type { Preview } from './preview.js';

/** Decides commands as a lane does, without its lock: on one snapshot of the database, and nothing is kept. */
export class Previewer {
  constructor(
    private readonly database: Database,
    private readonly projections: readonly InlineProjection[],
    private readonly codec: PersonalDataCodec,
    private readonly submission: (append: Append) => Submission,
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
    let reading = appends.map((append) => ({ ...append, reads: merged(append.reads, preview.reads) }));
    for (;;) {
      const decided = await this.#decideOnce(reading, atomic, preview);
      const wants = decided.findIndex((answer) => 'refusal' in answer && answer.refusal instanceof RowsWanted);
      if (wants < 0) return decided;
      const { reads } = (decided[wants] as Refused).refusal as RowsWanted;
      reading = reading.with(wants, { ...reading[wants]!, reads: merged(reading[wants]!.reads, reads) });
    }
  }

  /** Up to a command that wants rows. */
  async #decideOnce(
    appends: readonly Append[],
    atomic: boolean,
    preview: Preview,
  ): Promise<readonly (LaneAnswer | Refused)[]> {
    const pending = appends.map(this.submission);
    const { batch, rows } = await this.#load(appends[0]!.partition, pending);
    const answers: (LaneAnswer | Refused)[] = [];
    for (const [i, submission] of pending.entries()) {
      const decision = batch.decide(submission);
      if (decision.kind === 'refused') {
        const refused = { refusal: refusalOf(decision.error) };
        if (refused.refusal instanceof RequestKeyReused) throw refused.refusal;
        answers.push(refused);
        if (refused.refusal instanceof RowsWanted) return answers;
        if (atomic) return appends.map((_, at) => (at === i ? refused : { refusal: new NotApplied() }));
      } else {
        preview.add(submission.append, rows.rows, toldBy(decision), batch.at);
        answers.push(answerOf(decision));
      }
    }
    return answers;
  }

  async #load(partition: number, pending: readonly Submission[]): Promise<{ batch: Batch; rows: BatchRows }> {
    const reads = BatchReads.ofAll(partition, this.projections, pending);
    const [headRows, ...results] = await this.database.snapshot([readHead(partition), ...reads.statements]);
    const [headRow] = headRows!;
    if (!headRow) throw new LogContradicted();
    const head = parseHead(headRow);
    const rows = reads.parse(results.map((found) => ({ rows: found })));
    const at = new Date(Math.max(Date.now(), head.time.getTime()));
    return { batch: new Batch(this.projections, this.codec, partition, head, rows, at), rows };
  }
}

/** A replay would do nothing more: it has no events of its own. */
function toldBy(decision: Decision) {
  return decision.kind === 'appended' ? decision.outcome : { events: [], replayed: true };
}

function merged(one: Reads, other: Reads): Reads {
  const all: Record<string, readonly string[]> = { ...one };
  for (const [name, keys] of Object.entries(other)) all[name] = [...new Set([...(all[name] ?? []), ...keys])];
  return all;
}
