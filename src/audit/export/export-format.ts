import type { EventRow, StoredEvent } from '../../event-store/index.js';

/**
 * An export is NDJSON: a header, then for each partition a checkpoint and its events, then an end. Described for
 * strangers in docs/audit-format.md.
 */
export const EXPORT_FORMAT = 'partner-payments-ledger-export/1';

export interface HeaderLine {
  readonly kind: 'header';
  readonly format: typeof EXPORT_FORMAT;
  /** Limits the events to one partner's; `null` for all. */
  readonly partner: string | null;
}

export interface CheckpointLine {
  readonly kind: 'checkpoint';
  readonly partition: number;
  /** The signed note that everything of the partition is proved against. */
  readonly note: string;
  /** The key that it is signed with. A verifier should know it from elsewhere. */
  readonly vkey: string;
  /** All events from the first to the checkpoint's size follow: they need no proofs, the root follows from them. */
  readonly complete: boolean;
}

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

export interface EndLine {
  readonly kind: 'end';
  /** Lines of events: shows that nothing was cut off. */
  readonly events: number;
}

export type ExportLine = HeaderLine | CheckpointLine | EventLine | EndLine;

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
