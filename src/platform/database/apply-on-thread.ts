import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../program-file.js';

/**
 * `applyMigrations` on a thread of its own: what TypeORM takes, a third of what lives in a process that has just
 * started, is given back with the thread, and no collection of garbage goes through it again.
 * @throws what the thread threw
 */
export async function applyOnThread(url: string): Promise<string[]> {
  const thread = new Worker(programFile('platform/database/migration-thread.js'), { workerData: url });
  let names: string[] = [];
  thread.once('message', (applied: string[]) => (names = applied));
  await once(thread, 'exit');
  return names;
}
