import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Does `make` if the files that its outcome is made of, or any package, have changed since it was last done: every test
 * run and every start builds, and most build nothing new. What stands is not touched, so others may be running it.
 * @param patterns of the files
 * @param mark a file beside the outcome, which goes when that goes
 */
export async function whenChanged(patterns, mark, make) {
  const inputs = hashOf(patterns);
  if (read(mark) === inputs) return;
  await make();
  writeFileSync(mark, inputs);
}

/** Whether what stands was made of the files as they are. */
export function isFresh(patterns, mark) {
  return read(mark) === hashOf(patterns);
}

function hashOf(patterns) {
  const hash = createHash('sha256').update(readFileSync('package-lock.json'));
  for (const file of globSync(patterns).sort()) {
    if (!file.endsWith('.spec.ts')) hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function read(mark) {
  try {
    return readFileSync(mark, 'utf8');
  } catch {
    return undefined;
  }
}
