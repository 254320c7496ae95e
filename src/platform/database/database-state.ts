import type { Database } from './database.js';

/** The state that the database reports. */
export interface DatabaseState {
  /** Least difference between its clock and ours, milliseconds. */
  readonly clockDifference: number;
  /** Whether it is a standby, and cannot be written to. */
  readonly standby: boolean;
}

/** @throws DatabaseUnavailable */
export async function databaseState(database: Database): Promise<DatabaseState> {
  const asked = Date.now();
  const [row] = await database.query<{ now: Date; standby: boolean }>({
    name: 'health',
    text: 'select clock_timestamp() as now, pg_is_in_recovery() as standby',
  });
  const answered = Date.now();
  const now = row!.now.getTime();
  // Its time was read at some moment between request and response.
  return { clockDifference: Math.max(asked - now, now - answered, 0), standby: row!.standby };
}

/** The database's time, common to all processes: for decisions that must not depend on one process's clock. */
export async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.backgroundQuery<{ now: Date }>({
    name: 'database-time',
    text: 'select clock_timestamp() as now',
  });
  return row!.now;
}
