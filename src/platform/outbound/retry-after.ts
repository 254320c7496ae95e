/** A week: longer than any schedule's step. A larger value could overflow a timer. */
export const MAX_RETRY_AFTER_SECONDS = 7 * 24 * 60 * 60;

const SECONDS = /^\d{1,19}$/;
// RFC 9110 5.6.7: IMF-fixdate, and the two obsolete forms that a recipient must accept.
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]+ \d\d:\d\d:\d\d( GMT| \d{4})$/;

/**
 * The wait in whole seconds that a `Retry-After` header asks for (RFC 9110 10.2.3), at most a week.
 * @param now milliseconds since the epoch, against which a date is measured
 * @returns undefined where the header is absent or invalid; 0 for a date in the past
 */
export function retryAfterSeconds(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (text === undefined) return undefined;
  if (SECONDS.test(text)) return Math.min(Number(text), MAX_RETRY_AFTER_SECONDS);
  if (!HTTP_DATE.test(text)) return undefined;
  // asctime has no zone, and Date.parse would use the machine's.
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(Math.ceil((at - now) / 1000), 0), MAX_RETRY_AFTER_SECONDS);
}
