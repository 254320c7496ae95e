import { inflateSync } from 'node:zlib';

/**
 * The text that a PDF of one-byte fonts shows, in the order of drawing, one line a drawing instruction. Also gives
 * everything else that is in the file, inflated, so that a test can look for what must not be there.
 */
export function pdfText(pdf: Buffer): { lines: string[]; raw: string } {
  const file = pdf.toString('latin1');
  const streams = [...streamsOf(file)];
  const lines = streams.flatMap((stream) =>
    [...stream.matchAll(/\[((?:\s*<[0-9a-fA-F]*>|\s*-?[\d.]+)*)\s*\]\s*TJ/g)].map(([, parts]) =>
      [...parts!.matchAll(/<([0-9a-fA-F]*)>/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')).join(''),
    ),
  );
  return { lines, raw: [file, ...streams, ...lines].join('\n') };
}

/**
 * By their length: a stream's own last byte may be a carriage return, which no search for its end can tell from one.
 */
function* streamsOf(file: string): Generator<string> {
  const start = /\/Length (\d+)\s(?:(?!\bstream\b)[^])*?\bstream\r?\n/g;
  for (let found = start.exec(file); found; found = start.exec(file)) {
    const [dictionary, length] = found;
    const body = file.slice(start.lastIndex, start.lastIndex + Number(length));
    start.lastIndex += body.length;
    yield dictionary.includes('/FlateDecode') ? inflateSync(Buffer.from(body, 'latin1')).toString('latin1') : body;
  }
}
