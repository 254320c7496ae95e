import { type InlineProjection, Table } from '../event-store/index.js';
import { infractionContradiction } from './domain/contradictions.js';
import { followReturns } from './domain/follow-returns.js';
import { evolveInfraction, type Infraction, infractionsOf } from './domain/infraction.js';

export const infractionTable = new Table<Infraction>({
  table: 'infraction',
  columns: {
    id: 'uuid',
    accountUid: 'uuid',
    transactionId: 'uuid',
    endToEndId: 'text',
    railId: 'text',
    reason: 'text',
    details: 'json',
    amount: 'bigint',
    holdId: 'uuid',
    status: 'text',
    overdue: 'boolean',
    defence: 'json',
    note: 'json',
    agreed: 'bigint',
    returned: 'bigint',
    pending: 'bigint',
    refusals: 'int',
    pauseUntil: 'timestamptz',
    ending: 'text',
    stateDates: 'json',
    reportedAt: 'timestamptz',
    defenceUntil: 'timestamptz',
    decideUntil: 'timestamptz',
    returnUntil: 'timestamptz',
    version: 'int',
  },
  changes: [
    'status',
    'overdue',
    'defence',
    'note',
    'agreed',
    'returned',
    'pending',
    'refusals',
    'pauseUntil',
    'ending',
    'stateDates',
    'version',
  ],
});

/** Reports of infractions about deposits. The end of a return is in its case by the same commit. */
export const infractionProjection: InlineProjection<Infraction> = {
  name: 'infractions',
  keysOf: infractionsOf,
  evolve: evolveInfraction,
  contradicts: infractionContradiction,
  consequences: followReturns,
  ...infractionTable.inline(),
};
