import { type InlineProjection, Table } from '../event-store/index.js';
import { contactsOf, evolveContact, type SecureContact } from './domain/secure-contact.js';

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
