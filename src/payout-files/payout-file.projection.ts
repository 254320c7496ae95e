import { type InlineProjection, Table } from '../event-store/index.js';
import { evolveFile, filesOf, type PayoutFile } from './domain/payout-file.js';

/** How far a file is. */
export const PROGRESS = [
  'state',
  'run',
  'registered',
  'registeredAmount',
  'refused',
  'refusedAmount',
  'endedAt',
  'version',
] as const;

export const payoutFileTable = new Table<PayoutFile>({
  table: 'payout_file',
  columns: {
    id: 'uuid',
    partnerUid: 'uuid',
    accountUid: 'uuid',
    accessKey: 'text',
    format: 'text',
    digest: 'text',
    lines: 'int',
    amount: 'bigint',
    state: 'text',
    run: 'int',
    registered: 'int',
    registeredAmount: 'bigint',
    refused: 'int',
    refusedAmount: 'bigint',
    acceptedAt: 'timestamptz',
    endedAt: 'timestamptz',
    position: 'bigint',
    version: 'int',
  },
  changes: PROGRESS,
});

/** Files of payouts, and how far each is. */
export const payoutFileProjection: InlineProjection<PayoutFile> = {
  name: 'payoutFiles',
  keysOf: filesOf,
  evolve: evolveFile,
  ...payoutFileTable.inline(),
};
