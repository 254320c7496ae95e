import { defineEvent, type Personal } from '../../event-store/index.js';

/** Streams are `payout-file-<id>`. Amounts are centavos in decimal text. */

export const FILE_FORMATS = ['csv', 'jsonl'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const PayoutFileAccepted = defineEvent<{
  id: string;
  partnerUid: string;
  accountUid: string;
  /** In whose name its payouts are requested. */
  accessKey: string;
  format: FileFormat;
  /** SHA-256 of the file as it was sent, base64. */
  digest: string;
  lines: number;
  /** Of all lines. */
  amount: string;
  /** SHA-256 of each sealed chunk of lines, one after the other, base64: a line that was changed is never paid. */
  chunkDigests: string;
  /** Of the stored lines: 32 bytes, base64. It is the account holder's, as their descriptions are. */
  key: Personal<string>;
  /** What names its lines, of an upload with a key (ADR 0042). Absent: its identifier. */
  linesNamed?: string;
}>()('PayoutFileAccepted', 'A file of payouts had no fault: its lines wait to be requested.', {
  // A version before would name lines otherwise, and pay those again that the other has paid.
  schemaVersion: 2,
  upcasters: { 1: (data: object) => data },
});

/** A line that was refused, and why: an entry of `errors`. */
export interface RefusedLine {
  readonly line: number;
  readonly orderId: string;
  readonly amount: string;
  readonly error: number;
}

export const PayoutFileLinesRun = defineEvent<{
  id: string;
  /** From 0. */
  chunk: number;
  /** Lines of which a payout was registered, and its transactions. */
  lines: readonly number[];
  transactions: readonly string[];
  /** Of the registered lines. */
  amount: string;
  refused: readonly RefusedLine[];
  refusedAmount: string;
  /** The different errors of refused lines, as the single route answers them. */
  errors: readonly object[];
}>()('PayoutFileLinesRun', 'Some lines of a file were requested: each was registered, or refused for a reason.');

export const PayoutFileCancelled = defineEvent<{ id: string }>()(
  'PayoutFileCancelled',
  'A file was cancelled: from now on no payout of it is registered.',
);

export const PayoutFileCompleted = defineEvent<{
  id: string;
  partnerUid: string;
  accountUid: string;
  state: 'Completed' | 'Cancelled';
  lines: number;
  registered: number;
  registeredAmount: string;
  refused: number;
  refusedAmount: string;
}>()('PayoutFileCompleted', 'The end of a file: nothing more of it is requested. Payouts under way go on.');
