import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/**
 * What test files share, whatever process they run in: the first to ask makes it, the others wait, and are given the
 * same. What it is made of lies in the run's folder (`TEST_RUN_FOLDER`) and on the run's server, and goes with them.
 * @param make its result is written as JSON
 */
export async function onceForTheRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = join(process.env.TEST_RUN_FOLDER!, `${name}.json`);
  const lock = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [file]);
    if (!existsSync(file)) await writeFile(file, JSON.stringify(await make()));
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } finally {
    await lock.end();
  }
}
