import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A round that once failed: run again by every `npm test`. */
export interface KeptSeed {
  readonly seed: number;
  /** Service processes that it ran with. */
  readonly processes: number;
  readonly why: string;
}

const FILE = join(import.meta.dirname, 'seeds.json');

export async function keptSeeds(): Promise<KeptSeed[]> {
  return JSON.parse(await readFile(FILE, 'utf8')) as KeptSeed[];
}

/** Adds a seed to the file of kept ones, to be committed with the fix. */
export async function keepSeed(seed: KeptSeed): Promise<void> {
  const kept = await keptSeeds();
  if (kept.some((one) => one.seed === seed.seed && one.processes === seed.processes)) return;
  await writeFile(FILE, `${JSON.stringify([...kept, seed], null, 2)}\n`);
}
