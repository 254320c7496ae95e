import { malformed, writable } from '../../platform/http/index.js';

/** Granularities of the stored totals. */
export const STEPS = ['minute', 'hour', 'day'] as const;
export type Step = (typeof STEPS)[number];

const STEP_MS: Readonly<Record<Step, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** A period in whole steps: `from` begins one, `to` ends one. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
  readonly step: Step;
}

const DEFAULT_MS = 3_600_000;
const LONGEST_MS = 10 * 366 * 86_400_000;

/** The beginning of a moment's step, UTC. */
export function stepOf(step: Step, time: Date): Date {
  return new Date(Math.floor(time.getTime() / STEP_MS[step]) * STEP_MS[step]);
}

/** The step grows with the period, so that there are at most some thousands. @throws ValidationError */
export function periodOf(given: { readonly from?: Date; readonly to?: Date }, now: Date): Period {
  const { to = now, from = new Date(to.getTime() - DEFAULT_MS) } = given;
  const length = to.getTime() - from.getTime();
  if (length <= 0) throw malformed('from', 'must be before `to`');
  if (length > LONGEST_MS) throw malformed('from', 'must be within ten years before `to`');
  const step = length <= 6 * 3_600_000 ? 'minute' : length <= 14 * 86_400_000 ? 'hour' : 'day';
  return { from: stepOf(step, from), to: writable(stepOf(step, new Date(to.getTime() + STEP_MS[step] - 1))), step };
}

/** The period in parts of at most so many steps, oldest first. */
export function* partsOf({ from, to, step }: Period, steps: number): Generator<Period, void, undefined> {
  const length = steps * STEP_MS[step];
  for (let at = from.getTime(); at < to.getTime(); at += length) {
    yield { from: new Date(at), to: new Date(Math.min(at + length, to.getTime())), step };
  }
}
