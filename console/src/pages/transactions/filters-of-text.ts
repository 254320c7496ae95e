import { word } from '../../i18n/index.js';
import { STATES } from './filters.js';

/** A day or a state as a filter of the list of transactions; `null` for any other text, which is searched for. */
export function filtersOfText(typed: string): Record<string, string> | null {
  const text = typed.trim();
  const day = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  const iso = day ? `${day[3]}-${day[2]}-${day[1]}` : /^\d{4}-\d{2}-\d{2}$/.exec(text)?.[0];
  if (iso !== undefined) return { from: iso, to: iso };
  const state = STATES.find((one) => [one, word(one)].some((name) => name.toLowerCase() === text.toLowerCase()));
  return state ? { state } : null;
}
