import type { Database } from './database.js';

/** The state that the database reports. */
export interface DatabaseState {
  /** Least difference between its clock and ours, milliseconds. */
  readonly clockDifference: number;
  /** Why it cannot be written to, if so. */
  readonly standby: boolean;
  readonly readOnly: boolean;
}

/** @throws DatabaseUnavailable */
export async function databaseState(database: Database): Promise<DatabaseState> {
  const asked = Date.now();
  const [row] = await database.query<Pick<DatabaseState, 'standby' | 'readOnly'> & { now: Date }>({
    name: 'health',
    text: `
      select clock_timestamp() as now, pg_is_in_recovery() as standby,
        current_setting('transaction_read_only')::boolean as "readOnly"`,
  });
  const answered = Date.now();
  const now = row!.now.getTime();
  // Its time was read at some moment between request and response.
  const clockDifference = Math.max(asked - now, now - answered, 0);
  return { clockDifference, standby: row!.standby, readOnly: row!.readOnly };
}

/** The database's time, common to all processes: for decisions that must not depend on one process's clock. */
export async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.backgroundQuery<{ now: Date }>({
    name: 'database-time',
    text: 'select clock_timestamp() as now',
  });
  return row!.now;
}
