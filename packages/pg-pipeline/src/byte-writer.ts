const FIRST_BYTES = 4_096;
/** A buffer that a large message made larger than this is not kept. */
const MAX_KEPT = 1 << 20;

/** A growing buffer that is reused: a hundred small messages are sent in one write. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #view = new DataView(this.#buffer.buffer);
  /** Where the next byte goes. After making room, callers may write through `view` and move it on. */
  at = 0;

  /** Begins a new message. The result of `written` is overwritten from now on. */
  clear(): this {
    this.at = 0;
    if (this.#buffer.length > MAX_KEPT) this.#grow(FIRST_BYTES);
    return this;
  }

  /** The bytes until the next `clear`; no copy. */
  written(): Buffer {
    return this.#buffer.subarray(0, this.at);
  }

  /** Makes room for so many bytes from `at` on. @returns a view of the whole, good until more room is asked for */
  room(bytes: number): DataView {
    if (this.at + bytes > this.#buffer.length) this.#grow(Math.max(2 * this.#buffer.length, this.at + bytes));
    return this.#view;
  }

  /** Text without its length, in UTF-8, or one byte a character where it is known to be ASCII. */
  text(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): void {
    this.room(encoding === 'latin1' ? text.length : Buffer.byteLength(text));
    this.at += this.#buffer.write(text, this.at, encoding);
  }

  bytes(bytes: Uint8Array): void {
    this.room(bytes.length);
    this.#buffer.set(bytes, this.at);
    this.at += bytes.length;
  }

  uint8(value: number): void {
    this.room(1).setUint8(this.at, value);
    this.at += 1;
  }

  int16(value: number): void {
    this.room(2).setInt16(this.at, value);
    this.at += 2;
  }

  int32(value: number): void {
    this.room(4).setInt32(this.at, value);
    this.at += 4;
  }

  #grow(bytes: number): void {
    const grown = Buffer.allocUnsafeSlow(bytes);
    grown.set(this.#buffer.subarray(0, this.at));
    this.#buffer = grown;
    this.#view = new DataView(grown.buffer);
  }
}
