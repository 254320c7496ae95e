import { prefixedLeafHash } from './merkle.js';

/** Every column of an event row, as it is hashed. `data` and `metadata` are the exact stored bytes. */
export interface EventRow {
  readonly partition: number;
  readonly position: bigint;
  readonly id: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  readonly time: Date;
  readonly data: string;
  readonly metadata: string;
}

/**
 * The leaf of an event: its columns in a fixed order, each as a 32-bit big-endian length and that many
 * bytes. Integers are decimal text, the time is milliseconds since the epoch as decimal text, the
 * identifier is lower-case text. Byte-exact description: docs/audit-format.md.
 */
export function encodeLeaf(row: EventRow): Buffer {
  return Buffer.from(writeLeaf(row).subarray(1));
}

export function hashEvent(row: EventRow): Buffer {
  return prefixedLeafHash(writeLeaf(row));
}

/** Leaves are written here, behind their hash prefix: a new buffer for each would cost more than the hash. */
let scratch = Buffer.alloc(1 << 14);

/** @returns prefix and leaf, valid until the next call */
function writeLeaf(row: EventRow): Buffer {
  const columns = [
    String(row.partition),
    String(row.position),
    row.id,
    row.stream,
    String(row.version),
    row.type,
    String(row.schemaVersion),
    String(row.time.getTime()),
    row.data,
    row.metadata,
  ];
  let most = 1;
  // A UTF-16 unit takes three bytes of UTF-8 at most.
  for (const column of columns) most += 4 + 3 * column.length;
  if (most > scratch.length) scratch = Buffer.alloc(2 * most);
  let offset = 1;
  for (const column of columns) {
    const size = scratch.write(column, offset + 4);
    scratch.writeUInt32BE(size, offset);
    offset += 4 + size;
  }
  return scratch.subarray(0, offset);
}
