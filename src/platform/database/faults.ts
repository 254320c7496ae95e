import { DatabaseError } from 'pg';

/** What a failed database statement says about the batch it was in. */
export type FaultKind =
  /** The data is at fault, and so one of the commands: the batch is split. */
  | 'data'
  /** The moment is at fault: the batch is repeated whole. */
  | 'transient'
  /** The statement is at fault (a programming error): repeating would not help. */
  | 'defect';

/** SQLSTATE of a database error; `undefined` for an error of the connection or of our own. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Whether the error came from the connection, so that what the server did is not known. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return false;
  const state = sqlState(error);
  // 08: connection exception; 57P01–57P03: the server is shutting down, crashed, or starting.
  return state === undefined || state.startsWith('08') || state.startsWith('57P');
}

/** Whether a row stands already under a unique key. XX000: how Citus reports that inside `insert … select`. */
export function isDuplicate(error: unknown): boolean {
  const state = sqlState(error);
  return state === '23505' || state === 'XX000';
}

/** Whether the code tells neither a duplicate from a node that went away (XX000, Citus): the next try tells. */
export function isUnclear(error: unknown): boolean {
  return sqlState(error) === 'XX000';
}

/** Decides on SQLSTATE alone: constraint and table names are not the same on a distributed database. */
export function classifyFault(error: unknown): FaultKind {
  if (isConnectionFault(error)) return 'transient';
  const state = sqlState(error);
  if (state === undefined) return 'defect';
  // 40: rollback (serialization, deadlock); 53: resources; 55: object state (lock timeout); 57: operator
  // intervention (cancel, statement timeout); 25P03: idle in transaction too long; 58: system (I/O).
  if (/^(40|53|55|57|58)/.test(state) || state === '25P03' || state === '25P04') return 'transient';
  // 22: data exception; 23: constraint.
  if (/^(22|23)/.test(state) || isDuplicate(error)) return 'data';
  return 'defect';
}
