import { DatabaseError } from 'pg';

/** The kind of a statement's failure, and what follows for its batch. */
export type FaultKind =
  /** Invalid data of one of the commands: the batch is split. */
  | 'data'
  /** A transient fault: the whole batch is retried. */
  | 'transient'
  /** A programming error: a retry would not help. */
  | 'defect';

/** SQLSTATE of a database error; `undefined` for an error of the connection or of our own. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Whether the connection failed, so that the outcome at the server is unknown. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return false;
  const state = sqlState(error);
  // 08: connection exception; 57P01–57P03: the server is shutting down, crashed, or starting.
  return state === undefined || state.startsWith('08') || state.startsWith('57P');
}

/** Whether the server takes no writes, such as a standby before it is promoted: nothing was done. */
export function takesNoWrites(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** Whether the database's user may not do this. */
export function lacksRights(error: unknown): boolean {
  return sqlState(error) === '42501';
}

/**
 * Whether what a session has prepared is gone, or gives other columns since its tables were changed: it would fail so
 * for ever, and another session does not.
 */
export function isNotAsPrepared(error: unknown): boolean {
  const state = sqlState(error);
  return state === '26000' || state === '0A000';
}

/** Whether a unique key is violated. XX000: how Citus reports that inside `insert … select`. */
export function isDuplicate(error: unknown): boolean {
  const state = sqlState(error);
  return state === '23505' || state === 'XX000';
}

/** Whether the code may mean a duplicate or an unavailable node (XX000, Citus): a retry shows which. */
export function isUnclear(error: unknown): boolean {
  return sqlState(error) === 'XX000';
}

/**
 * Whether the server ended the session with it, or began none, and so no statement is at fault: a full disk is XX000
 * where the files cannot be written that a session begins with.
 */
function isOfSession(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'FATAL';
}

/** By SQLSTATE alone: names of constraints and tables differ on a distributed database. */
export function classifyFault(error: unknown): FaultKind {
  if (isConnectionFault(error) || isOfSession(error)) return 'transient';
  const state = sqlState(error);
  if (state === undefined) return 'defect';
  // 40: rollback (serialization, deadlock); 53: resources; 55: object state (lock timeout); 57: operator
  // intervention (cancel, statement timeout); 25P03: idle in transaction too long; 58: system (I/O); 28, 3D: the
  // server lets nobody in, or has no such database, as while it is put back.
  if (/^(28|3D|40|53|55|57|58)/.test(state) || state === '25P03' || state === '25P04') return 'transient';
  if (takesNoWrites(error)) return 'transient';
  // 22: data exception; 23: constraint.
  if (/^(22|23)/.test(state) || isDuplicate(error)) return 'data';
  return 'defect';
}
