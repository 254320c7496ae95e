import type { AppError } from '../../platform/errors/index.js';
import type { Outcome } from './append.js';
import type { Decision } from './decision.js';
import type { ExistingEvents } from './submission.js';

/** What a command did, or where its events are in the log already. */
export type LaneAnswer = Outcome | (ExistingEvents & { readonly replayed: boolean });

/** A command that was not appended. */
export interface Refused {
  readonly refusal: AppError;
}

export function refusalOf(answer: LaneAnswer | Refused): AppError | undefined {
  return 'refusal' in answer ? answer.refusal : undefined;
}

/** @param decision no refusal */
export function answerOf(decision: Decision): LaneAnswer {
  return decision.kind === 'appended' ? decision.outcome : (decision as LaneAnswer);
}
