import { parentPort, workerData } from 'node:worker_threads';
import { applyMigrations } from './migrate.js';

/** The thread of `applyOnThread`. */
parentPort!.postMessage(await applyMigrations(workerData as string));
