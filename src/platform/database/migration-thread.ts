import { parentPort, workerData } from 'node:worker_threads';
import { applyMigrations } from './migrate.js';

/** The other side of `applyOnThread`. */
parentPort!.postMessage(await applyMigrations(workerData as string));
