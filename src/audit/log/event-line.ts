import type { EventRow, StoredEvent } from '../../event-store/index.js';

/** An event, every column of its leaf. `data` and `metadata` are the exact texts that were hashed. */
export interface EventLine {
  readonly kind: 'event';
  readonly partition: number;
  readonly position: string;
  readonly id: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly schemaVersion: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly data: string;
  readonly metadata: string;
  /** Inclusion proof, base64; absent where the partition is complete. */
  readonly proof?: readonly string[];
}

export function toEventLine(event: StoredEvent, proof: readonly Buffer[] | undefined): EventLine {
  return {
    kind: 'event',
    partition: event.partition,
    position: String(event.position),
    id: event.id,
    stream: event.stream,
    version: event.version,
    type: event.type,
    schemaVersion: event.schemaVersion,
    time: event.time.getTime(),
    data: event.data,
    metadata: event.metadata,
    ...(proof && { proof: proof.map((hash) => hash.toString('base64')) }),
  };
}

export function toEventRow(line: EventLine): EventRow {
  const { partition, position, id, stream, version, type, schemaVersion, time, data, metadata } = line;
  return {
    partition,
    position: BigInt(position),
    id,
    stream,
    version,
    type,
    schemaVersion,
    time: new Date(time),
    data,
    metadata,
  };
}
