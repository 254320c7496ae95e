import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { decodeRow, encodeRow } from './row-codec.js';

/** One record of a run: runs are sorted by key, and a key may occur in several runs. */
export interface RunRecord<T> {
  readonly key: string;
  readonly value: T;
}

/** Of a run that stays small, and of others. */
const FIRST_BYTES = 1 << 14;
const WRITE_BYTES = 1 << 19;
const READ_BYTES = 1 << 16;
const HEADER_BYTES = 8;

/** Writes records, in key order, to a file. One buffer serves all of them; most runs need a small one. */
export class RunWriter<T> {
  readonly #file: number;
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;

  constructor(readonly path: string) {
    this.#file = openSync(path, 'wx', 0o600);
  }

  add(key: string, value: T): void {
    const text = encodeRow(value);
    const most = HEADER_BYTES + 3 * (key.length + text.length);
    if (this.#used + most > this.#buffer.length) this.#makeRoom(most);
    const keyBytes = this.#buffer.write(key, this.#used + HEADER_BYTES);
    const textBytes = this.#buffer.write(text, this.#used + HEADER_BYTES + keyBytes);
    this.#buffer.writeUInt32BE(keyBytes, this.#used);
    this.#buffer.writeUInt32BE(textBytes, this.#used + 4);
    this.#used += HEADER_BYTES + keyBytes + textBytes;
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #makeRoom(bytes: number): void {
    this.#flush();
    const wanted = Math.max(bytes, WRITE_BYTES);
    if (this.#buffer.length < wanted) this.#buffer = Buffer.allocUnsafeSlow(wanted);
  }

  #flush(): void {
    let written = 0;
    while (written < this.#used) written += writeSync(this.#file, this.#buffer, written, this.#used - written);
    this.#used = 0;
  }
}

/** Reads a run from its beginning, and removes the file afterwards. */
export function* readRun<T>(path: string): Generator<RunRecord<T>, void, undefined> {
  const file = openSync(path, 'r');
  let buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  let [start, end] = [0, 0];
  const has = (bytes: number): boolean => {
    while (end - start < bytes) {
      if (start > 0) {
        buffer.copyWithin(0, start, end);
        [start, end] = [0, end - start];
      }
      if (bytes > buffer.length) buffer = Buffer.concat([buffer], bytes);
      const read = readSync(file, buffer, end, buffer.length - end, null);
      if (read === 0) return false;
      end += read;
    }
    return true;
  };
  try {
    while (has(HEADER_BYTES)) {
      const keyBytes = buffer.readUInt32BE(start);
      const textBytes = buffer.readUInt32BE(start + 4);
      has(HEADER_BYTES + keyBytes + textBytes);
      const keyEnd = start + HEADER_BYTES + keyBytes;
      const key = buffer.toString('utf8', start + HEADER_BYTES, keyEnd);
      const value = decodeRow(buffer.toString('utf8', keyEnd, keyEnd + textBytes)) as T;
      start = keyEnd + textBytes;
      yield { key, value };
    }
  } finally {
    closeSync(file);
    unlinkSync(path);
  }
}

/** Merges runs, in key order; records of one key keep the order of the runs. */
export function* mergeRuns<T>(runs: readonly Iterator<RunRecord<T>>[]): Generator<RunRecord<T>, void, undefined> {
  const open = runs.map((run) => ({ run, head: run.next() })).filter(({ head }) => !head.done);
  while (open.length > 0) {
    let first = 0;
    for (let i = 1; i < open.length; i++) {
      if ((open[i]!.head.value as RunRecord<T>).key < (open[first]!.head.value as RunRecord<T>).key) first = i;
    }
    const source = open[first]!;
    yield source.head.value as RunRecord<T>;
    source.head = source.run.next();
    if (source.head.done) open.splice(first, 1);
  }
}
