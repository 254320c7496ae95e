/**
 * The calendar of São Paulo, in two ways.
 *
 * By the time zone database: what is decided once. It comes into events as a moment, so that a replay does not ask
 * again.
 *
 * By a fixed offset (`fixedClockOf` and what stands below it): what a replay works out again, and what a date in a
 * request or a code means. It must come out as it did on the live path, whatever the database says by then.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const ZONE = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** What clocks show at a moment: milliseconds of a UTC clock that shows the same. */
export function wallClockOf(moment: Date): number {
  const parts = ZONE.formatToParts(moment);
  const of = (wanted: string) => Number(parts.find(({ type }) => type === wanted)!.value);
  const seconds = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return seconds + (((moment.getTime() % 1000) + 1000) % 1000);
}

/** The moment at which clocks show it. One that is skipped in spring is the hour after; of two in autumn the first. */
export function momentOf(wallClock: number): Date {
  const offsetAt = (moment: number) => wallClockOf(new Date(moment)) - moment;
  const candidates = [-DAY_MS, DAY_MS].map((away) => wallClock - offsetAt(wallClock + away)).sort((a, b) => a - b);
  const shown = candidates.find((moment) => moment + offsetAt(moment) === wallClock);
  return new Date(shown ?? candidates[1]!);
}

/** A moment of a calendar day (`2026-11-20`), some hours after its midnight. */
export function onDay(day: string, hour: number): Date {
  return momentOf(Date.parse(`${day}T00:00:00Z`) + hour * HOUR_MS);
}

/** The calendar day of a moment, in the rail's own calendar: `2026-11-20`. */
export function saoPauloDay(moment: Date): string {
  return new Date(wallClockOf(moment)).toISOString().slice(0, 10);
}

/** The calendar day before one. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** Whether a text is a calendar day, such as `2026-11-20`. */
export function isDay(text: unknown): text is string {
  return typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Whole calendar days from one moment to another. */
export function daysBetween(from: Date, to: Date): number {
  return (Date.parse(saoPauloDay(to)) - Date.parse(saoPauloDay(from))) / DAY_MS;
}

/** Three hours behind UTC: there has been no summer time since Decreto 9.772/2019. */
const BEHIND_MS = 3 * HOUR_MS;

/** `wallClockOf`, by the fixed offset. */
export function fixedClockOf(moment: Date): number {
  return moment.getTime() - BEHIND_MS;
}

/** `momentOf`, by the fixed offset. */
export function fixedMomentOf(wallClock: number): Date {
  return new Date(wallClock + BEHIND_MS);
}

/** Midnight of a calendar day (`2026-11-20`), or before a moment. An invalid date where the text is no day. */
export function midnightOf(day: string | Date): Date {
  const clock = typeof day === 'string' ? Date.parse(`${day}T00:00:00Z`) : fixedClockOf(day);
  return fixedMomentOf(clock - (clock % DAY_MS));
}

/** The time of day: `22:05`. */
export function saoPauloTime(moment: Date): string {
  return new Date(fixedClockOf(moment)).toISOString().slice(11, 16);
}
