import { types } from 'pg';

/** The first and the last moment that a `Date` can hold. */
const FIRST = -8.64e15;
const LAST = 8.64e15;

/**
 * Has pg read every `timestamptz` as a `Date`. By itself it reads PostgreSQL's infinity as a number and years after
 * 275760 as no date at all: whatever sorts such rows or shows them fails, with those that are sound.
 */
export function readTimestampsAsDates(): void {
  const { TIMESTAMPTZ } = types.builtins;
  const parse = types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date | number;
  types.setTypeParser(TIMESTAMPTZ, (text: string) => asDate(parse(text)));
}

/** Whether PostgreSQL's moment is after all that a `Date` can hold. */
export function isAfterAllTime(moment: Date): boolean {
  return moment.getTime() === LAST;
}

function asDate(parsed: Date | number): Date {
  const time = Number(parsed);
  if (typeof parsed === 'object' && !Number.isNaN(time)) return parsed;
  return new Date(time < 0 ? FIRST : LAST);
}
