import type { FileFormat } from './domain/payout-file.events.js';

export const FILES_ROUTE = '/partners-int/payouts/files';

/** What each media type of an upload is. */
export const FORMAT_OF: ReadonlyMap<string, FileFormat> = new Map([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'jsonl'],
  ['application/jsonl', 'jsonl'],
]);
