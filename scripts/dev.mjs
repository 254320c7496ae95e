import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { startEmbedded } from '../dist/src/platform/database/embedded.js';

/**
 * `npm run dev`: `nest start --watch`, beside the embedded PostgreSQL, which keeps running across restarts of the
 * service. With compile errors the last good build keeps running. Settings are those of `npm start`.
 */
// The watcher's output is not the build's.
rmSync('dist/.compiled', { force: true });
const given = process.env.DATABASE_URL;
const postgres = given ? undefined : await startEmbedded(process.env.DATA_DIR ?? '.data');
// The shell, which reads a path with spaces, becomes the service: it would keep signals for itself.
const nest = spawn(
  'nest',
  ['start', '--path', 'tsconfig.watch.json', '--watch', '--preserveWatchOutput', '--exec', 'exec node'],
  {
    env: { ...process.env, DATABASE_URL: given ?? postgres.url, NODE_OPTIONS: '--enable-source-maps' },
    stdio: 'inherit',
    // Ctrl-C is received here, and forwarded in order.
    detached: true,
  },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => nest.kill('SIGTERM'));
await once(nest, 'exit');
await postgres?.stop();
process.exit(0);
