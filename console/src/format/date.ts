const ZONE = 'America/Sao_Paulo';
const PARTS = { day: '2-digit', month: '2-digit', year: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false } as const;
const date = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, ...PARTS });
const clock = new Intl.DateTimeFormat('pt-BR', { timeZone: ZONE, ...CLOCK });

/** `20/11/2026`, in Brasília's time. */
export function formatDate(moment: string | number): string {
  const value = new Date(moment);
  return Number.isNaN(value.valueOf()) ? String(moment) : date.format(value);
}

/** `14:05:09`, in Brasília's time. */
export function formatClock(moment: string | number): string {
  return clock.format(new Date(moment));
}

/** `20/11/2026 14:05:09`, in Brasília's time. An invalid date is shown as it is. */
export function formatMoment(moment: string | number): string {
  const value = new Date(moment);
  return Number.isNaN(value.valueOf()) ? String(moment) : `${date.format(value)} ${clock.format(value)}`;
}

/**
 * The value of a date field (`2026-11-20`) as the first moment of that day in Brasília, or of the day after it. What is
 * no date is given back as it is, here and below: the service tells the fault.
 * Brazil has had one offset, -03:00, since daylight saving ended in 2019 (Decreto 9.772/2019).
 */
export function startOfDay(day: string, daysLater = 0): string {
  const moment = new Date(`${day}T00:00:00-03:00`);
  // Browsers take 31/11 for 1/12.
  if (!localOf(moment.valueOf()).startsWith(day)) return day;
  moment.setUTCDate(moment.getUTCDate() + daysLater);
  return isoOf(moment, day);
}

/** The last day before a moment, for a date field: the inverse of `startOfDay(day, 1)`. */
export function lastDayBefore(moment: string): string {
  return localOf(Date.parse(moment) - 1).slice(0, 10);
}

/** The value of a date-and-time field (`2026-11-20T14:05`), Brasília's time, as a moment. */
export function momentOf(local: string): string {
  return isoOf(new Date(`${local}${local.length === 16 ? ':00' : ''}-03:00`), local);
}

/** Today in Brasília, for a date field. */
export function today(now = Date.now()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, ...PARTS }).format(now);
}

/** A moment in Brasília's time, for a date-and-time field. */
export function localOf(moment: string | number): string {
  const value = new Date(moment);
  if (Number.isNaN(value.valueOf())) return String(moment);
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE, ...PARTS }).format(value);
  return `${day}T${clock.format(value)}`;
}

/** A duration for people: `340 ms`, `1,2 s`, `4 min`, `3 h`; a dash for none. */
export function formatDuration(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined) return '–';
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1).replace('.', ',')} s`;
  if (milliseconds < 3_600_000) return `${Math.round(milliseconds / 60_000)} min`;
  return `${Math.round(milliseconds / 3_600_000)} h`;
}

function isoOf(moment: Date, typed: string): string {
  return Number.isNaN(moment.valueOf()) ? typed : moment.toISOString();
}
