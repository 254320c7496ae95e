import { type InlineProjection, Table } from '../event-store/index.js';
import { recoveryContradiction } from './domain/contradictions.js';
import { evolveRecovery, recoveriesOf, type Recovery } from './domain/recovery.js';

export const recoveryTable = new Table<Recovery>({
  table: 'recovery',
  columns: {
    id: 'uuid',
    accountUid: 'uuid',
    transactionId: 'uuid',
    endToEndId: 'text',
    reason: 'text',
    details: 'json',
    amount: 'bigint',
    status: 'text',
    accepted: 'bigint',
    refusalCode: 'text',
    stateDates: 'json',
    version: 'int',
  },
  changes: ['status', 'accepted', 'refusalCode', 'stateDates', 'version'],
});

/** Requests for the money of payouts. The table has one under way for each payout at most. */
export const recoveryProjection: InlineProjection<Recovery> = {
  name: 'recoveries',
  keysOf: recoveriesOf,
  evolve: evolveRecovery,
  contradicts: recoveryContradiction,
  ...recoveryTable.inline(),
};
