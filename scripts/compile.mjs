import { spawnSync } from 'node:child_process';
import { COMPILED, SOURCES } from './inputs.mjs';
import { whenChanged } from './when-changed.mjs';

/** `nest build`, where anything has changed. It compiles all there is each time. */
await whenChanged(SOURCES, COMPILED, () => {
  const { status } = spawnSync('nest', ['build'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
});
