import { leafHash } from './merkle.js';

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
  const sizes = columns.map((column) => Buffer.byteLength(column));
  const leaf = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + size, 0));
  let offset = 0;
  columns.forEach((column, i) => {
    offset = leaf.writeUInt32BE(sizes[i]!, offset);
    offset += leaf.write(column, offset);
  });
  return leaf;
}

export function hashEvent(row: EventRow): Buffer {
  return leafHash(encodeLeaf(row));
}
