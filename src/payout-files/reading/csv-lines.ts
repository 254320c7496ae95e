import { CsvError, parse, type Parser } from 'csv-parse';
import { bodyOf, COLUMNS, columnOfPath, type Header, REQUIRED_COLUMNS } from './columns.js';
import { LONGEST_LINE } from './file-text.js';
import type { LineReader, WrittenLine } from './line.js';

/** RFC 4180, with a header. The separator is the header's: a comma, or the semicolon of spreadsheets in Brazil. */
export const csvLines: LineReader = { read: readCsv, columnOf: columnOfPath };

interface Parsed {
  readonly record: readonly string[];
  /** The last of those that it has, from 1. */
  readonly lines: number;
}

async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<WrittenLine, void, undefined> {
  const { first, all } = await begun(withPlainBreaks(pieces));
  const records: Parsed[] = [];
  const parser = parse({
    delimiter: first.split(';').length > first.split(',').length ? ';' : ',',
    max_record_size: LONGEST_LINE,
    // Into a list: what the parser's stream has not given yet is lost with an error.
    on_record: (record, { lines }) => void records.push({ record, lines }),
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  }).on('error', () => undefined);
  let header: Header | undefined;
  let last = 0;
  try {
    for await (const error of parsing(parser, all)) {
      for (const { record, lines } of records.splice(0)) {
        last = lines;
        const line = last - breaksIn(record);
        if (!header) {
          const faults = [...headerFaults(record)];
          yield* faults.map((fault) => ({ line, fault }));
          if (faults.length > 0) return;
          header = new Map(record.map((name, place) => [name, place]));
        } else if (line !== last) {
          const column = [...header.keys()][record.findIndex((cell) => cell.includes('\n'))] ?? null;
          yield { line, fault: { ...fault('InvalidFormat', 'a cell must not contain a line break'), column } };
        } else if (record.length !== header.size) {
          yield { line, fault: fault('InvalidFormat', `must have ${header.size} cells`, { cells: record.length }) };
        } else yield { line, body: bodyOf(header, record) };
      }
      if (!error) continue;
      if (!(error instanceof CsvError)) throw error;
      const message = error.code === 'CSV_MAX_RECORD_SIZE' ? 'is too long' : 'is not valid CSV: a quote is misplaced';
      yield { line: Number(error.lines ?? last + 1), fault: fault('InvalidCsv', message) };
      return;
    }
  } finally {
    parser.destroy();
  }
  if (!header) yield { line: 1, fault: fault('Required', 'the first line must name the columns') };
}

/** Has the parser take piece after piece. Each is parsed when the next one is asked for; yields the error of that. */
async function* parsing(parser: Parser, pieces: AsyncIterable<string>) {
  type Outcome = Error | null | undefined;
  for await (const piece of pieces) yield await new Promise<Outcome>((taken) => parser.write(piece, taken));
  yield await new Promise<Outcome>((ended) => parser.end((error?: Error) => ended(error)));
}

const breaksIn = (record: readonly string[]) => record.join('').split('\n').length - 1;

/** Every CRLF as LF: the parser counts a CRLF for two lines where the header's line ends in LF, and in cells. */
async function* withPlainBreaks(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let held = '';
  for await (const piece of pieces) {
    const text = held + piece;
    held = text.endsWith('\r') ? '\r' : '';
    yield text.slice(0, text.length - held.length).replaceAll('\r\n', '\n');
  }
  if (held) yield held;
}

const fault = (code: string, message: string, info?: Record<string, unknown>) => ({
  column: null,
  code,
  message,
  ...(info && { info }),
});

function* headerFaults(names: readonly string[]) {
  const allowedValues = Object.keys(COLUMNS);
  for (const [place, name] of names.entries()) {
    const shown = name.slice(0, 64);
    if (!allowedValues.includes(name)) {
      yield { column: shown, code: 'NotAllowed', message: 'is no column of a payout file', info: { allowedValues } };
    } else if (names.indexOf(name) !== place) {
      yield { column: shown, code: 'Duplicate', message: 'must be there once' };
    }
  }
  for (const name of REQUIRED_COLUMNS) {
    if (!names.includes(name)) yield { column: name, code: 'Required', message: 'the column is missing' };
  }
}

/** The first line, for its separator, and all pieces, the first ones again. */
async function begun(pieces: AsyncIterable<string>) {
  const iterator = pieces[Symbol.asyncIterator]();
  let text = '';
  for (;;) {
    const next = await iterator.next();
    if (!next.done) text += next.value;
    if (next.done || text.includes('\n') || text.length > LONGEST_LINE) break;
  }
  async function* all() {
    yield text;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { first: text.split('\n', 1)[0]!, all: all() };
}
