import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { FileText } from './file-text.js';

/** A stream that gives all that has arrived at once. */
async function* atOnce(bytes: Uint8Array) {
  yield bytes;
}

it('gives much that arrives at once piece by piece, and others have their turn between two', async () => {
  // Three bytes a letter: pieces end within one.
  const sent = '€uro,'.repeat(100_000);
  const bytes = Buffer.from(sent);
  let [turns, ended] = [0, false];
  const count = () => {
    turns += 1;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const text = new FileText(atOnce(bytes));
  const pieces: string[] = [];
  for await (const piece of text.pieces()) pieces.push(piece);
  ended = true;
  expect(pieces.join('')).toBe(sent);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
  expect(text.digest()).toBe(createHash('sha256').update(bytes).digest('base64'));
});
