import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { csvLines } from './csv-lines.js';

const HEADER = 'orderId,value,cpf,orderDescription';

/** In pieces of some characters. */
async function* inPieces(text: string, size: number): AsyncGenerator<string, void, undefined> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function read(text: string, size = 7) {
  const lines: (readonly [number, unknown])[] = [];
  for await (const { line, body, fault } of csvLines.read(inPieces(text, size))) {
    lines.push([
      line,
      fault ? [fault.code, fault.column] : (body as { transaction: { orderId: string } }).transaction.orderId,
    ]);
  }
  return lines;
}

describe('the lines of a CSV file', () => {
  it.each([
    ['LF', '\n', '\n'],
    ['CRLF', '\r\n', '\r\n'],
    ['LF after the header, CRLF after others', '\n', '\r\n'],
    ['CRLF after the header, LF after others', '\r\n', '\n'],
  ])('are numbered as they stand in the file: %s', async (_, first, then) => {
    const text = [`${HEADER}${first}a,1,1,`, 'b,1,1,', '', 'c,1,1,', ''].join(then);
    for (const size of [1, 2, 7, 1_000]) {
      expect(await read(text, size)).toEqual([
        [2, 'a'],
        [3, 'b'],
        [5, 'c'],
      ]);
    }
  });

  it.each(['\n', '\r\n'])('that a cell breaks are named by the first one, and by the cell: %j', async (end) => {
    const text = [HEADER, 'a,1,1,', `b,1,1,"two`, 'lines"', 'c,1,1,'].join(end);
    expect(await read(text)).toEqual([
      [2, 'a'],
      [3, ['InvalidFormat', 'orderDescription']],
      [5, 'c'],
    ]);
  });

  it.each([
    ['in the middle of a line', 'd,1,"1" x,', [5, ['InvalidCsv', null]]],
    ['that is not closed', '"d,1,1,', [5, ['InvalidCsv', null]]],
    ['of a line that is too long', `"${'d'.repeat(20_000)}`, [5, ['InvalidCsv', null]]],
  ])('before a quote %s are told, however the file comes', async (_, broken, fault) => {
    const text = [HEADER, 'a,1,1,', 'b', 'c,1,1,', broken].join('\n');
    for (const size of [1, 7, 100_000]) {
      expect(await read(text, size)).toEqual([[2, 'a'], [3, ['InvalidFormat', null]], [4, 'c'], fault]);
    }
  });
});

it('of a file are parsed as they are taken: little is left for one turn once the file is there', async () => {
  const [pieces, linesOfPiece] = [400, 50];
  let [taken, left] = [0, 0];
  async function* file() {
    yield `${HEADER}\n`;
    for (let piece = 0; piece < pieces; piece++) {
      await setImmediate();
      yield 'a\n'.repeat(linesOfPiece);
    }
    left = pieces * linesOfPiece - taken;
  }
  for await (const { fault } of csvLines.read(file())) {
    if (!fault) continue;
    taken += 1;
    if (taken % 10 === 0) await setImmediate();
  }
  expect(taken).toBe(pieces * linesOfPiece);
  // Those that a stream reads ahead, and some on their way.
  expect(left).toBeLessThanOrEqual(20 * linesOfPiece);
});
