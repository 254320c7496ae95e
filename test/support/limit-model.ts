import { AppError } from '../../src/platform/errors/index.js';

const SAO_PAULO = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});
const HALF_A_DAY_MS = 12 * 3_600_000;

type Kind = 'dayOrNight' | 'calendarDay' | 'month' | 'hour';

/** The period of a moment by name, as a person would say it: `day 2026-11-20`, `night 2026-11-20`. */
export function periodOf(kind: Kind, at: Date, nightStart: number): string {
  const [date, time] = SAO_PAULO.format(at).split(' ') as [string, string];
  const hour = Number(time.slice(0, 2));
  if (kind === 'calendarDay') return `day ${date}`;
  if (kind === 'month') return date.slice(0, 7);
  if (kind === 'hour') return `${date} ${hour}`;
  if (hour >= nightStart) return `night ${date}`;
  if (hour >= 6) return `day ${date}`;
  return `night ${SAO_PAULO.format(new Date(at.getTime() - HALF_A_DAY_MS)).slice(0, 10)}`;
}

/** What a refusal tells; `undefined` where there is none. */
export function refusalOf(act: () => void): { readonly reason: string; readonly scope?: string } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return (error as unknown as { details: { reason: string } }).details;
    throw error;
  }
}
