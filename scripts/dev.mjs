import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { readSettings } from '../dist/src/platform/config/index.js';
import { startEmbedded } from '../dist/src/platform/database/embedded.js';

/**
 * `npm run dev`: `nest start --watch`, beside the embedded PostgreSQL, which keeps running across restarts of the
 * service. With compile errors the last good build keeps running. Settings are those of `npm start`.
 */
const { databaseUrl, dataDir } = await explained(() => readSettings());
const postgres = databaseUrl ? undefined : await explained(() => startEmbedded(dataDir));
// The shell, which reads a path with spaces, becomes the service: it would keep signals for itself.
const nest = spawn(
  'nest',
  ['start', '--path', 'tsconfig.watch.json', '--watch', '--preserveWatchOutput', '--exec', 'exec node'],
  {
    env: { ...process.env, DATABASE_URL: databaseUrl ?? postgres.url, NODE_OPTIONS: '--enable-source-maps' },
    stdio: 'inherit',
    // Ctrl-C is received here, and forwarded in order.
    detached: true,
  },
);
// The watcher's output is not the build's.
nest.once('spawn', () => rmSync('dist/.compiled', { force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => nest.kill('SIGTERM'));
const [code] = await once(nest, 'exit').catch((error) => {
  console.error(error.message);
  return [1];
});
await postgres?.stop();
process.exit(code ?? 0);

/** What is wrong with a setting or the folder is said as the service says it. */
async function explained(step) {
  try {
    return await step();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
