import { expect, it } from '@jest/globals';

// A navigator of this suite's own: Jest's is the same for all suites of a process.
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['pt-BR'] } });
const { word } = await import('./index.js');

it('translates the words that it knows, and shows all others as they are, whatever they are', () => {
  const words = ['Completed', 'NewState', 'constructor', 'toString', '__proto__'];
  expect(words.map(word)).toEqual(['Concluída', ...words.slice(1)]);
});
