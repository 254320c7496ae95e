import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { PayoutFileHasFaults } from '../domain/errors.js';
import { PayloadTooLarge } from '../../platform/errors/index.js';

/** 100,000 lines of six hundred bytes. */
const MOST_BYTES = 64 * 1024 * 1024;
/** A line of the largest body of the single route is a tenth of it. */
export const LONGEST_LINE = 16 * 1024;
/** Blank ones included: thirty million of those would hold one of the few turns of uploads for seconds. */
const MOST_LINES = 200_000;
/** What is read before others have their turn: a stream gives all that has arrived at once. */
const PIECE = 16 * 1024;
/** Its lines at most: short ones cost their reader as much as long ones. A CRLF counts twice. */
const BREAKS = 50;
const [LF, CR] = [0x0a, 0x0d];

/** A file that arrives: its text piece by piece, and its digest once it is there. */
export class FileText {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  readonly #breaks = { lf: 0, cr: 0 };

  constructor(private readonly source: AsyncIterable<Uint8Array>) {}

  /** SHA-256 of what was read, base64. */
  digest(): string {
    return this.#hash.copy().digest('base64');
  }

  /** @throws PayloadTooLarge; PayoutFileHasFaults for what is not UTF-8, or has too many lines */
  async *pieces(): AsyncGenerator<string, void, undefined> {
    // A byte order mark, which spreadsheets write, is left out.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const bytes of this.source) {
      this.#bytes += bytes.length;
      if (this.#bytes > MOST_BYTES) throw new PayloadTooLarge('A file must not be larger than 64 MiB.');
      for (let at = 0; at < bytes.length;) {
        if (at > 0) await setImmediate();
        const piece = bytes.subarray(at, this.#endOfPiece(bytes, at));
        at += piece.length;
        this.#hash.update(piece);
        const text = decode(() => decoder.decode(piece, { stream: true }));
        if (text !== '') yield text;
      }
    }
    const rest = decode(() => decoder.decode());
    if (rest !== '') yield rest;
  }

  /** Where the piece ends that begins there. @throws PayoutFileHasFaults */
  #endOfPiece(bytes: Uint8Array, at: number): number {
    const most = Math.min(at + PIECE, bytes.length);
    for (let [end, breaks] = [at, 0]; end < most; end++) {
      if (bytes[end] === LF) this.#breaks.lf += 1;
      else if (bytes[end] === CR) this.#breaks.cr += 1;
      else continue;
      breaks += 1;
      if (Math.max(this.#breaks.lf, this.#breaks.cr) > MOST_LINES) throw tooManyLines();
      if (breaks === BREAKS) return end + 1;
    }
    return most;
  }
}

function tooManyLines(): PayoutFileHasFaults {
  const message = 'too many lines, blank ones included';
  const fault = { line: null, column: null, code: 'TooMany', message, info: { maximum: MOST_LINES } };
  return new PayoutFileHasFaults([fault], 1);
}

function decode(work: () => string): string {
  try {
    return work();
  } catch {
    throw new PayoutFileHasFaults([{ line: null, column: null, code: 'InvalidFormat', message: 'must be UTF-8' }], 1);
  }
}
