/**
 * Arrays as PostgreSQL's binary format has them (`array_recv`): dimensions, element type, then each element with its
 * length. An eighth of the work of the text form on both sides: nothing is escaped, nothing is parsed.
 */
interface ElementType {
  readonly oid: number;
  /** Bytes of the element, at most. */
  size(value: unknown): number;
  /** @returns the bytes written */
  write(value: unknown, into: Buffer, at: number): number;
}

/** Microseconds since 2000-01-01 UTC are what PostgreSQL calls a time. */
const POSTGRES_EPOCH_MS = 946_684_800_000n;

const integer = (oid: number, bytes: 2 | 4): ElementType => ({
  oid,
  size: () => bytes,
  write: (value, into, at) => into.writeIntBE(Number(value), at, bytes) - at,
});

const text: ElementType = {
  oid: 25,
  // A UTF-16 unit takes three bytes of UTF-8 at most.
  size: (value) => (value as string).length * 3,
  write: (value, into, at) => into.write(value as string, at),
};

/** Element types by the name that a statement's cast gives: `$2::bigint[]`. */
const ELEMENTS: Readonly<Record<string, ElementType>> = {
  text,
  boolean: { oid: 16, size: () => 1, write: (value, into, at) => into.writeUInt8(value ? 1 : 0, at) - at },
  smallint: integer(21, 2),
  int: integer(23, 4),
  bigint: {
    oid: 20,
    size: () => 8,
    write: (value, into, at) => into.writeBigInt64BE(BigInt(value as bigint | number | string), at) - at,
  },
  bytea: {
    oid: 17,
    size: (value) => (value as Buffer).length,
    write: (value, into, at) => (value as Buffer).copy(into, at),
  },
  uuid: {
    oid: 2950,
    size: () => 16,
    write: (value, into, at) => {
      const written = into.write((value as string).replaceAll('-', ''), at, 16, 'hex');
      if (written !== 16) throw new RangeError('not a UUID');
      return written;
    },
  },
  timestamptz: {
    oid: 1184,
    size: () => 8,
    write: (value, into, at) =>
      into.writeBigInt64BE((BigInt((value as Date).getTime()) - POSTGRES_EPOCH_MS) * 1000n, at) - at,
  },
};

const isNull = (value: unknown): value is null | undefined => value === null || value === undefined;

const DIMENSION_BYTES = 20;
const ABSENT = -1;

/**
 * @param type name of the element type, as in the statement's cast
 * @param values `null` and `undefined` are NULL
 * @throws RangeError for a value that its type does not hold; TypeError for a type that has no encoding here
 */
export function encodeArray(type: string, values: readonly unknown[]): Buffer {
  const element = ELEMENTS[type];
  if (!element) throw new TypeError(`arrays of ${type} have no encoding here`);
  const most = values.reduce<number>((sum, value) => sum + 4 + (isNull(value) ? 0 : element.size(value)), 0);
  const buffer = Buffer.allocUnsafe(DIMENSION_BYTES + most);
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(1, 4);
  buffer.writeInt32BE(element.oid, 8);
  if (values.length === 0) return buffer.subarray(0, 12);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = DIMENSION_BYTES;
  for (const value of values) {
    if (isNull(value)) {
      at = buffer.writeInt32BE(ABSENT, at);
      continue;
    }
    const written = element.write(value, buffer, at + 4);
    buffer.writeInt32BE(written, at);
    at += 4 + written;
  }
  return buffer.subarray(0, at);
}
