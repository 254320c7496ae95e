import { type InlineProjection, Table } from '../event-store/index.js';
import { fillHolds } from './domain/fill-holds.js';
import { holdContradiction } from './domain/hold-contradictions.js';
import { evolveHold, type Hold, holdsOf } from './domain/hold.js';

export const holdTable = new Table<Hold>({
  table: 'hold',
  columns: {
    id: 'uuid',
    accountUid: 'uuid',
    cause: 'text',
    reference: 'text',
    amount: 'bigint',
    filled: 'bigint',
    released: 'bigint',
    executed: 'bigint',
    retryUntil: 'timestamptz',
    status: 'text',
    placedAt: 'timestamptz',
    version: 'int',
    returned: 'bigint',
    expiresAt: 'timestamptz',
    depositId: 'uuid',
  },
  changes: ['filled', 'released', 'executed', 'returned', 'status', 'version'],
});

/** Holds on accounts. Those that wait are filled by whatever credits their account. */
export const holdProjection: InlineProjection<Hold> = {
  name: 'holds',
  keysOf: holdsOf,
  evolve: evolveHold,
  contradicts: holdContradiction,
  consequences: fillHolds,
  ...holdTable.inline(),
};
