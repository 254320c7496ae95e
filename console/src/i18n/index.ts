import { portuguese } from './portuguese.js';

/** Phrases are English in the code. A phrase without a Portuguese translation does not compile. */
export type Phrase = keyof typeof portuguese;

/** Portuguese where the browser asks for it first, else English. */
export const language = navigator.languages[0]?.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';

/** The phrase in the user's language; `{}` are filled in order. */
export function t(phrase: Phrase, ...values: readonly (string | number)[]): string {
  const text: string = language === 'pt-BR' ? portuguese[phrase] : phrase;
  let next = 0;
  return text.replace(/\{\}/g, () => String(values[next++] ?? ''));
}

/** A word of the service (a state, a type) in the user's language; an unknown one is shown as it is. */
export function word(text: string): string {
  return Object.hasOwn(portuguese, text) ? t(text as Phrase) : text;
}
