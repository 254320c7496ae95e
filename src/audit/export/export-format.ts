import type { EventLine } from '../log/event-line.js';

/**
 * An export is NDJSON: a header, then for each partition a checkpoint and its events, then an end. The format
 * is described in docs/audit-format.md.
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
  /** The key that it is signed with. A verifier should have it from another source. */
  readonly vkey: string;
  /** All events from the first to the checkpoint's size follow: they need no proofs, the root follows from them. */
  readonly complete: boolean;
}

export interface EndLine {
  readonly kind: 'end';
  /** Number of event lines: shows that nothing was truncated. */
  readonly events: number;
}

export type ExportLine = HeaderLine | CheckpointLine | EventLine | EndLine;

export async function* asText(lines: AsyncIterable<ExportLine>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
