import { inflateSync } from 'node:zlib';

/**
 * The text that a PDF of one-byte fonts shows, in the order of drawing, one line a drawing instruction. Also gives
 * everything else that is in the file, inflated, so that a test can look for what must not be there.
 */
export function pdfText(pdf: Buffer): { lines: string[]; raw: string } {
  const file = pdf.toString('latin1');
  const streams = [...file.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, body]) => inflate(body!));
  const lines = streams.flatMap((stream) =>
    [...stream.matchAll(/\[((?:\s*<[0-9a-fA-F]*>|\s*-?[\d.]+)*)\s*\]\s*TJ/g)].map(([, parts]) =>
      [...parts!.matchAll(/<([0-9a-fA-F]*)>/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')).join(''),
    ),
  );
  return { lines, raw: [file, ...streams, ...lines].join('\n') };
}

function inflate(body: string): string {
  try {
    return inflateSync(Buffer.from(body, 'latin1')).toString('latin1');
  } catch {
    return body;
  }
}
