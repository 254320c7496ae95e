import type { Database } from './database.js';

/** What the database says of itself. */
export interface DatabaseState {
  /** Milliseconds by which its clock and ours differ at least. */
  readonly clockDifference: number;
  /** Whether it only follows another server, and cannot be written to. */
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
  // Its time was taken somewhere between question and answer.
  return { clockDifference: Math.max(asked - now, now - answered, 0), standby: row!.standby };
}

/** The database's own time, which all processes share: for what must not follow one of their clocks into the future. */
export async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.backgroundQuery<{ now: Date }>({
    name: 'database-time',
    text: 'select clock_timestamp() as now',
  });
  return row!.now;
}
