import type { Line } from './replayer.js';

export const FORMATS = ['table', 'json', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

const WIDTH_SAMPLE = 200;

/** Formats lines as a stream: only the sample for a table's column widths is held in memory. */
export async function* format(lines: AsyncIterable<Line>, as: Format): AsyncGenerator<string, void, undefined> {
  switch (as) {
    case 'json':
      return yield* json(lines);
    case 'csv':
      return yield* csv(lines);
    case 'table':
      return yield* table(lines);
  }
}

async function* json(lines: AsyncIterable<Line>): AsyncGenerator<string, void, undefined> {
  let before = '[\n';
  for await (const line of lines) {
    yield `${before}  ${JSON.stringify(line)}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** RFC 4180. A cell that a spreadsheet would read as a formula gets an apostrophe, unless it is a number. */
async function* csv(lines: AsyncIterable<Line>): AsyncGenerator<string, void, undefined> {
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst) yield `${Object.keys(line).map(cell).join(',')}\r\n`;
    isFirst = false;
    yield `${Object.values(line).map(cell).join(',')}\r\n`;
  }
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

async function* table(lines: AsyncIterable<Line>): AsyncGenerator<string, void, undefined> {
  const sample: Line[] = [];
  let widths: Record<string, number> | undefined;
  const draw = (line: Line) =>
    `${Object.entries(line)
      .map(([name, text]) => text.padEnd(widths![name]!))
      .join('  ')
      .trimEnd()}\n`;
  function* start() {
    widths = widthsOf(sample);
    if (sample[0]) yield draw(Object.fromEntries(Object.keys(sample[0]).map((name) => [name, name])));
    yield* sample.map(draw);
  }
  for await (const line of lines) {
    if (widths) {
      yield draw(line);
    } else {
      sample.push(line);
      if (sample.length === WIDTH_SAMPLE) yield* start();
    }
  }
  if (!widths) yield* start();
}

function widthsOf(sample: readonly Line[]): Record<string, number> {
  const names = Object.keys(sample[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, Math.max(name.length, ...sample.map((line) => line[name]!.length))]),
  );
}
