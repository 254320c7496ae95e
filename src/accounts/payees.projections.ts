import { type InlineProjection, Table } from '../event-store/index.js';
import { evolvePayeeUses, type PayeeUses, slotsOf } from './domain/payees.js';
import { contactsOf, evolveContact, type SecureContact } from './domain/secure-contact.js';

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

export const contactTable = new Table<SecureContact>({
  table: 'secure_contact',
  columns: {
    id: 'text',
    accountUid: 'uuid',
    person: 'json',
    terms: 'json',
    inForceFrom: 'timestamptz',
    counters: 'json',
    status: 'text',
    registeredAt: 'timestamptz',
  },
  changes: ['person', 'terms', 'inForceFrom', 'counters', 'status', 'registeredAt'],
});

/** Payees of an account with limits of their own. */
export const contactProjection: InlineProjection<SecureContact> = {
  name: 'secureContacts',
  keysOf: contactsOf,
  evolve: evolveContact,
  ...contactTable.inline(),
};
