import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';

describe('docs/events.md', () => {
  it('is what the code declares today', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/events.mjs', '--check'], { encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  }, 30_000);
});
