import { expect, it } from '@jest/globals';
import { workerFlags } from './flags.js';

it.each([
  [['--max-old-space-size=320'], undefined, ['--max-old-space-size=320']],
  [
    ['--max-old-space-size=320'],
    '--max-old-space-size-percentage=60',
    ['--max-old-space-size=320', '--max-old-space-size-percentage=15'],
  ],
  [
    ['--max-old-space-size-percentage=50', '--v8-pool-size=1'],
    '--trace-warnings',
    ['--v8-pool-size=1', '--max-old-space-size-percentage=12.5'],
  ],
])('divides a share of the memory among workers: %j and %s give %j', (flags, options, expected) =>
  expect(workerFlags(flags, options, 4)).toEqual(expected),
);
