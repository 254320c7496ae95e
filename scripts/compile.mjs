import { spawnSync } from 'node:child_process';
import { whenChanged } from './when-changed.mjs';

/** `nest build`, where anything has changed. It compiles all there is each time. */
const INPUTS = ['{src,migrations}/**/*.ts', 'tsconfig{,.build}.json', 'nest-cli.json'];

await whenChanged(INPUTS, 'dist/.compiled', () => {
  const { status } = spawnSync('nest', ['build'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
});
