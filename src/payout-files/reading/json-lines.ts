import { hasLoneSurrogate } from '../../platform/http/index.js';
import { LONGEST_LINE } from './file-text.js';
import type { LineReader, WrittenLine } from './line.js';

/** One body of the single route a line. */
export const jsonLines: LineReader = { read: readJsonLines, columnOf: (path) => path || null };

async function* readJsonLines(pieces: AsyncIterable<string>): AsyncGenerator<WrittenLine, void, undefined> {
  let line = 0;
  let rest = '';
  for await (const piece of pieces) {
    const texts = (rest + piece).split('\n');
    rest = texts.pop()!;
    for (const text of texts) {
      line += 1;
      if (text.trim() !== '') yield { line, ...read(text) };
    }
    if (rest.length > LONGEST_LINE) {
      yield { line: line + 1, fault: fault('TooLong', 'is too long') };
      return;
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, ...read(rest) };
}

const fault = (code: string, message: string) => ({ column: null, code, message });

function read(text: string): Pick<WrittenLine, 'body' | 'fault'> {
  if (text.length > LONGEST_LINE) return { fault: fault('TooLong', 'is too long') };
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body) || hasLoneSurrogate(text)) {
      return { fault: fault('InvalidJson', 'must be a JSON object') };
    }
    return { body };
  } catch {
    return { fault: fault('InvalidJson', 'must be a JSON object') };
  }
}
