/** The ten columns of an event that its leaf covers, as the audit routes give them. */
export interface LeafColumns {
  readonly partition: number;
  readonly position: string;
  readonly id: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** The JSON texts exactly as stored. */
  readonly data: string;
  readonly metadata: string;
}

/** A leaf hash: SHA-256(0x00 || every column, each after its length in 32 bits). docs/audit-format.md, "Leaf". */
export async function leafHash(event: LeafColumns): Promise<Uint8Array<ArrayBuffer>> {
  const columns = [
    event.partition,
    event.position,
    event.id,
    event.stream,
    event.version,
    event.type,
    event.schemaVersion,
    event.time,
    event.data,
    event.metadata,
  ].map((column) => new TextEncoder().encode(String(column)));
  const leaf = new Uint8Array(1 + columns.reduce((size, column) => size + 4 + column.length, 0));
  const view = new DataView(leaf.buffer);
  let offset = 1;
  for (const column of columns) {
    view.setUint32(offset, column.length);
    leaf.set(column, offset + 4);
    offset += 4 + column.length;
  }
  return sha256(leaf);
}

/** SHA-256 with Web Crypto. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
