import { type InlineProjection, Table } from '../event-store/index.js';
import { evolvePayeeUses, type PayeeUses, slotsOf } from './domain/payees.js';

const usesTable = new Table<PayeeUses>({
  table: 'payee_uses',
  columns: { id: 'text', uses: 'json' },
  changes: ['uses'],
});

/** What payees got in their present periods, for accounts that have a limit of one payee. */
export const payeeUsesProjection: InlineProjection<PayeeUses> = {
  name: 'payeeUses',
  keysOf: slotsOf,
  evolve: evolvePayeeUses,
  ...usesTable.inline(),
};
