import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Runs `make` if its inputs, or any package, have changed since the last run: every test run and every start builds,
 * mostly without changes. An up-to-date output is not touched, so others may be running it.
 * @param patterns of the input files
 * @param mark a file beside the output with the hash of the inputs; it is deleted with the output
 */
export async function whenChanged(patterns, mark, make) {
  const inputs = hashOf(patterns);
  if (read(mark) === inputs) return;
  // A run that fails may leave half of an output, which is of no inputs.
  rmSync(mark, { force: true });
  await make();
  writeFileSync(mark, inputs);
}

/** Whether the output is up to date. */
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
