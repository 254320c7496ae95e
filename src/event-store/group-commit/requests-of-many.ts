import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { type AppError, NotApplied } from '../../platform/errors/index.js';
import { RowsWanted } from '../projections/inline-projection.js';
import type { Together } from './append.js';
import { asAppError, PartRefused } from './errors.js';
import { idempotencyProjection, isSameRequest } from './idempotency.js';
import { type LaneAnswer, type Refused, refusalOf } from './lane-answer.js';
import { Lanes } from './lanes.js';
import { readingAlso, readingMore, type Submission } from './submission.js';

/** Commands of one request in their lane, with the rows that they want only once they are decided. */
@Injectable()
export class RequestsOfMany {
  constructor(
    private readonly lanes: Lanes,
    private readonly database: Database,
  ) {}

  /** @returns for each of them what it did, or why it was refused */
  submit(
    partition: number,
    submissions: readonly Submission[],
    { atomic, owner }: Together,
  ): Promise<readonly (LaneAnswer | Refused)[]> {
    return atomic ? this.#atomic(partition, submissions, owner) : this.#independent(partition, submissions, owner);
  }

  /**
   * A command that wants more rows is submitted again with them, and those behind it that waited, with those that they
   * would want. An outage may have ended others of these meanwhile.
   */
  async #independent(
    partition: number,
    submissions: readonly Submission[],
    owner: string,
  ): Promise<(LaneAnswer | Refused)[]> {
    const sequence = { isHeldUp: false };
    const inOrder = submissions.map((submission) => ({ ...submission, sequence }));
    const answers = [...(await this.lanes.of(partition).submitAll(owner, inOrder))];
    const held = [...answers.keys()].flatMap((i) => {
      const refusal = refusalOf(answers[i]!);
      return refusal instanceof RowsWanted ? [{ i, reads: refusal.reads }] : [];
    });
    if (held.length === 0) return answers;
    const again = held.map(({ i, reads }, n) => (n === 0 ? readingMore : readingAlso)(submissions[i]!, reads));
    // The others are answered: whatever happens now is an answer to these alone.
    const later = await this.#independent(partition, again, owner).catch((error: unknown) =>
      again.map(() => ({ refusal: asAppError(error) })),
    );
    held.forEach(({ i }, n) => (answers[i] = later[n]!));
    return answers;
  }

  async #atomic(
    partition: number,
    parts: readonly Submission[],
    owner: string,
  ): Promise<readonly (LaneAnswer | Refused)[]> {
    try {
      return await this.lanes.of(partition).submitTogether(owner, parts);
    } catch (error) {
      if (!(error instanceof PartRefused)) throw error;
      const { index, refusal, wantedBehind } = error;
      if (!(refusal instanceof RowsWanted)) return this.#notApplied(partition, parts, index, refusal);
      const again = parts.with(index, readingMore(parts[index]!, refusal.reads));
      for (const [i, reads] of wantedBehind.entries()) {
        const at = index + 1 + i;
        again[at] = readingAlso(again[at]!, reads);
      }
      return this.#atomic(partition, again, owner);
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
}
