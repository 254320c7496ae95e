import { ByteWriter } from './byte-writer.ts';

/**
 * Arrays as PostgreSQL's binary format has them (`array_recv`): dimensions, element type, then each element behind its
 * length. An eighth of the work of the text form on both sides: nothing is escaped, nothing is parsed. A command of one
 * transfer sends some seventy elements, so each is written in the cheapest way that there is for its type.
 */
type Encode = (out: ByteWriter, values: readonly unknown[]) => void;

/**
 * Dimensions: their number, a flag for NULLs (the server ignores it), element type, number of elements, lower bound.
 */
const DIMENSION_BYTES = 20;
const LENGTH_BYTES = 4;
const ABSENT = -1;

const isNull = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Writes the dimensions, and makes room for the elements. */
function begin(out: ByteWriter, oid: number, elements: number, bytes: number): DataView {
  const view = out.room(DIMENSION_BYTES + elements * LENGTH_BYTES + bytes);
  const { at } = out;
  view.setInt32(at, 1);
  view.setInt32(at + 4, 1);
  view.setInt32(at + 8, oid);
  view.setInt32(at + 12, elements);
  view.setInt32(at + 16, 1);
  out.at += DIMENSION_BYTES;
  return view;
}

/** Elements of one size. */
const fixed =
  (oid: number, size: number, write: (view: DataView, at: number, value: unknown) => void): Encode =>
  (out, values) => {
    const view = begin(out, oid, values.length, values.length * size);
    let { at } = out;
    for (const value of values) {
      view.setInt32(at, isNull(value) ? ABSENT : size);
      at += LENGTH_BYTES;
      if (isNull(value)) continue;
      write(view, at, value);
      at += size;
    }
    out.at = at;
  };

/** What a view would cut to size is refused, and what JavaScript would take for 0 or 1, as PostgreSQL does in text. */
const integer = (bits: 16 | 32, value: unknown): number => {
  const number = isNumber(value) ? Number(value) : Number.NaN;
  if (!Number.isInteger(number) || number >= 2 ** (bits - 1) || number < -(2 ** (bits - 1))) {
    throw new RangeError(`not an integer of ${bits} bits`);
  }
  return number;
};

function bigint(value: unknown): bigint {
  const number = typeof value === 'bigint' ? value : isNumber(value) ? BigInt(value) : undefined;
  if (number === undefined || BigInt.asIntN(64, number) !== number) throw new RangeError('not an integer of 64 bits');
  return number;
}

function isNumber(value: unknown): value is number | bigint | string {
  return typeof value === 'string' ? DIGITS.test(value) : typeof value === 'number' || typeof value === 'bigint';
}
const DIGITS = /^-?\d+$/;

/** A value of another kind would be written as something else: a text as true, or as bytes of its digits. */
function assertKind(isOfKind: boolean, type: string): void {
  if (!isOfKind) throw new RangeError(`not a ${type}`);
}

function writeBoolean(view: DataView, at: number, value: unknown): void {
  assertKind(typeof value === 'boolean', 'boolean');
  view.setUint8(at, value ? 1 : 0);
}

/** What is no hexadecimal digit has a bit that no half of a byte has. */
const HALF_BYTES = Uint8Array.from({ length: 128 }, (_, code) => {
  const half = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(half) ? 0x80 : half;
});

/** As its text is written everywhere: 32 digits, with hyphens or without. */
function writeUuid(view: DataView, at: number, value: unknown): void {
  const text = value as string;
  let wrong = 0;
  let written = 0;
  let i = 0;
  for (; i + 1 < text.length; i += 2) {
    if (text.charCodeAt(i) === HYPHEN) i += 1;
    const high = HALF_BYTES[text.charCodeAt(i)] ?? 0x80;
    const low = HALF_BYTES[text.charCodeAt(i + 1)] ?? 0x80;
    wrong |= high | low;
    if (written < UUID_BYTES) view.setUint8(at + written, (high << 4) | low);
    written += 1;
  }
  if (wrong & 0x80 || written !== UUID_BYTES || i !== text.length) throw new RangeError('not a UUID');
}
const HYPHEN = 0x2d;
const UUID_BYTES = 16;

const bytea: Encode = (out, values) => {
  begin(out, 17, values.length, 0);
  for (const value of values as readonly (Buffer | null | undefined)[]) {
    assertKind(isNull(value) || value instanceof Uint8Array, 'bytea');
    out.int32(value?.length ?? ABSENT);
    if (value) out.bytes(value);
  }
};

const ROOM_FOR_LENGTH = '\0'.repeat(LENGTH_BYTES);

/** Texts of ASCII, as nearly all are, go in one piece: each write to a buffer leaves JavaScript. */
const text: Encode = (out, values) => {
  let whole = '';
  for (const value of values) {
    assertKind(isNull(value) || typeof value === 'string', 'text');
    whole += isNull(value) ? ROOM_FOR_LENGTH : ROOM_FOR_LENGTH + (value as string);
  }
  const bytes = Buffer.byteLength(whole);
  const view = begin(out, 25, values.length, bytes - values.length * LENGTH_BYTES);
  const isAscii = bytes === whole.length;
  let { at } = out;
  if (isAscii) out.text(whole, 'latin1');
  for (const value of values) {
    const start = at + LENGTH_BYTES;
    if (!isAscii) {
      out.at = start;
      if (!isNull(value)) out.text(value as string);
    }
    const length = isAscii ? ((value as string | null | undefined)?.length ?? 0) : out.at - start;
    view.setInt32(at, isNull(value) ? ABSENT : length);
    at = start + length;
  }
};

/** Microseconds since 2000-01-01 UTC are what PostgreSQL calls a time. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** @throws RangeError for a date that is none */
function writeTime(view: DataView, at: number, value: unknown): void {
  view.setBigInt64(at, BigInt((value as Date).getTime() - POSTGRES_EPOCH_MS) * 1000n);
}

/** Element types by the name that a statement's cast gives: `$2::bigint[]`. */
const ENCODINGS: Readonly<Record<string, Encode>> = {
  boolean: fixed(16, 1, writeBoolean),
  bytea,
  bigint: fixed(20, 8, (view, at, value) => view.setBigInt64(at, bigint(value))),
  smallint: fixed(21, 2, (view, at, value) => view.setInt16(at, integer(16, value))),
  int: fixed(23, 4, (view, at, value) => view.setInt32(at, integer(32, value))),
  text,
  timestamptz: fixed(1184, 8, writeTime),
  uuid: fixed(2950, UUID_BYTES, writeUuid),
};

export function hasEncoding(type: string | undefined): type is string {
  return type !== undefined && type in ENCODINGS;
}

/**
 * @param type name of the element type, as in the statement's cast
 * @param values `null` and `undefined` are NULL
 * @throws RangeError for a value that its type does not hold; TypeError for a type that has no encoding here
 */
export function writeArray(out: ByteWriter, type: string, values: readonly unknown[]): void {
  const encode = ENCODINGS[type];
  if (!encode) throw new TypeError(`arrays of ${type} have no encoding here`);
  const start = out.at;
  encode(out, values);
  if (values.length > 0) return;
  // An array without elements has no dimensions.
  out.room(0).setInt32(start, 0);
  out.at = start + EMPTY_BYTES;
}
const EMPTY_BYTES = 12;

const scratch = new ByteWriter();

/** An array for a connection whose statements do not travel in groups. @throws as `writeArray` */
export function encodeArray(type: string, values: readonly unknown[]): Buffer {
  writeArray(scratch.clear(), type, values);
  return Buffer.from(scratch.written());
}
