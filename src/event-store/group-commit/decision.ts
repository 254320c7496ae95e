import { LogContradicted } from '../log/log-contradicted.js';
import { RowsWanted } from '../projections/inline-projection.js';
import type { Outcome } from './append.js';
import { asAppError, PartRefused, UnexpectedFault } from './errors.js';
import type { ExistingEvents } from './submission.js';

/** What became of a command in its batch. */
export type Decision =
  | { readonly kind: 'appended'; readonly outcome: Outcome }
  | { readonly kind: 'refused'; readonly error: unknown }
  /** Appended by an earlier attempt of this command, or by another command with its key (`replayed`). */
  | ({ readonly kind: 'existing'; readonly replayed: boolean } & ExistingEvents)
  /** Of the commands of which this one consists; none of them is refused. */
  | { readonly kind: 'together'; readonly decisions: readonly Decision[] };

/** Whether the command is decided again, with more rows. */
export function wantsRows(decision: Decision): boolean {
  if (decision.kind !== 'refused') return false;
  const { error } = decision;
  return error instanceof RowsWanted || (error instanceof PartRefused && error.refusal instanceof RowsWanted);
}

/** Whether rows, or the program, are at fault, and not what was asked for. */
export function isFault(decision: Decision): boolean {
  if (decision.kind !== 'refused') return false;
  const { error } = decision;
  const told = error instanceof PartRefused ? error.refusal : asAppError(error);
  return told instanceof UnexpectedFault || told instanceof LogContradicted;
}

/** A refusal that its caller is told: not one that asks to be decided again. */
export function isRefusal(decision: Decision): boolean {
  return decision.kind === 'refused' && !wantsRows(decision);
}
