import { portuguese } from './portuguese.js';

/** English is what the code says; every phrase of it has its Portuguese, or the types do not hold. */
export type Phrase = keyof typeof portuguese;

/** Portuguese where the browser asks for it first, else English. */
export const language = navigator.languages[0]?.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en';

/** The phrase in the person's language; `{}` are filled in their order. */
export function t(phrase: Phrase, ...values: readonly (string | number)[]): string {
  const text: string = language === 'pt-BR' ? portuguese[phrase] : phrase;
  let next = 0;
  return text.replace(/\{\}/g, () => String(values[next++] ?? ''));
}

/** A word of the service (a state, a type) in the person's language; one that is not known stays as it is. */
export function word(text: string): string {
  return text in portuguese ? t(text as Phrase) : text;
}
