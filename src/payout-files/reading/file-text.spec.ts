import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { PayoutFileHasFaults } from '../domain/errors.js';
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

it.each(['\n', '\r\n', '\r'])('gives few lines at a time, however short: %j', async (end) => {
  const sent = `a${end}`.repeat(2_000);
  const pieces: string[] = [];
  for await (const piece of new FileText(atOnce(Buffer.from(sent))).pieces()) pieces.push(piece);
  expect(pieces.join('')).toBe(sent);
  expect(Math.max(...pieces.map((piece) => piece.split('a').length - 1))).toBeLessThanOrEqual(50);
});

it.each(['\n', '\r\n', '\r'])('ends at 200,000 lines, blank ones included: %j', async (end) => {
  const read = async (lines: number) => {
    let length = 0;
    for await (const piece of new FileText(atOnce(Buffer.from(end.repeat(lines)))).pieces()) length += piece.length;
    return length;
  };
  expect(await read(200_000)).toBe(200_000 * end.length);
  await expect(read(200_001)).rejects.toThrow(PayoutFileHasFaults);
});
