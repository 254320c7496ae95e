import { env } from 'node:process';

/** A run whose requests follow from one number. */
export interface SeededRun {
  readonly seed: number;
  /** How many requests are made. */
  readonly runs: number;
}

/** The run that `FUZZ_SEED` and `FUZZ_RUNS` ask for. Without a seed there is a new one. */
export function seededRun({ FUZZ_SEED, FUZZ_RUNS = '1100' }: Readonly<Record<string, string | undefined>> = env) {
  const run: SeededRun = { seed: Number(FUZZ_SEED ?? Date.now() % 1_000_000), runs: Number(FUZZ_RUNS) };
  for (const [name, value] of Object.entries(run)) {
    if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`FUZZ_${name.toUpperCase()} is not a number`);
  }
  return run;
}

/** What a person types to have the same requests made again. */
export function onceMore({ seed, runs }: SeededRun): string {
  return `FUZZ_SEED=${seed} FUZZ_RUNS=${runs} npm run fuzz`;
}

/** The seed of one route's part of a round. */
export function partSeed({ seed }: SeededRun, round: number, route: number): number {
  return seed + round * 1_000 + route;
}

/** Runs it, and says how to run it again where it fails: the library names the seed of a part alone. */
export async function tellingHow(run: SeededRun, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`The same requests once more: ${onceMore(run)}`, { cause: error });
  }
}
