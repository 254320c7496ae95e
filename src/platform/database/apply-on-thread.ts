import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { programFile } from '../program-file.js';

/**
 * Runs `applyMigrations` on a thread of its own: the memory of TypeORM, a third of a freshly started process's live
 * heap, is freed with the thread, and later garbage collections do not scan it.
 * @throws what the thread threw
 */
export async function applyOnThread(url: string): Promise<string[]> {
  const thread = new Worker(programFile('platform/database/migration-thread.js'), { workerData: url });
  let names: string[] = [];
  thread.once('message', (applied: string[]) => (names = applied));
  await once(thread, 'exit');
  return names;
}
