const HOURS_MS = 3_600_000;
const DAY_MS = 24 * HOURS_MS;

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

/**
 * Wall clocks of São Paulo, by the time zone database: milliseconds of a UTC clock that shows the same. What comes of
 * them is stored in events as a moment, so that a replay does not ask again.
 */
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

/** A moment of a calendar day (`2026-11-20`) in São Paulo, some hours after its midnight. */
export function onDay(day: string, hour: number): Date {
  return momentOf(Date.parse(`${day}T00:00:00Z`) + hour * HOURS_MS);
}
