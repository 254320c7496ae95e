import { type NewEvent, personal, type SubjectRef } from '../../event-store/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import type { Account } from './account.js';
import { type AskedAmounts, changedAmounts, type ChangeTime, NO_AMOUNTS } from './limit-terms.js';
import { ContactAlreadyRegistered, TooManyContacts } from './payout-limit.errors.js';
import { MOST_CONTACTS, type SecureContact } from './secure-contact.js';
import {
  type ContactPerson,
  SecureContactChanged,
  SecureContactRegistered,
  SecureContactRemoved,
} from './secure-contact.events.js';

export interface NewContact extends ContactPerson {
  readonly limits: AskedAmounts;
}

/** The account, and the contact's row where there is one. */
export interface ContactState {
  readonly account: Account;
  readonly contact: SecureContact | undefined;
}

/**
 * Its limits hold after the delay of a raise (Resolução BCB 147/2021: 24 hours at least). Until then the account's do.
 * @param subject id and reference of the person's data subject
 */
export function registerContact(
  { account, contact }: ContactState,
  { name, taxNumber, limits }: NewContact,
  { id, ref }: { readonly id: string; readonly ref: SubjectRef },
  { at, delayMs }: ChangeTime,
): readonly NewEvent[] {
  if (contact?.status === 'Registered') throw new ContactAlreadyRegistered(id);
  if ((account.payoutLimits?.contacts ?? 0) >= MOST_CONTACTS) throw new TooManyContacts(MOST_CONTACTS);
  const { uid, version } = account;
  return [
    SecureContactRegistered.create(`account-${uid}`, version + 1, {
      uid,
      person: personal(ref, { name, taxNumber }),
      terms: changedAmounts(NO_AMOUNTS, limits, { at, delayMs }),
      inForceFrom: new Date(at.getTime() + delayMs).toISOString(),
    }),
  ];
}

/** No event where everything stays as it is. */
export function changeContact(
  state: ContactState,
  id: string,
  asked: AskedAmounts,
  time: ChangeTime,
): readonly NewEvent[] {
  const { terms } = registered(state, id);
  const after = changedAmounts(terms, asked, time);
  if (JSON.stringify(after) === JSON.stringify(changedAmounts(terms, {}, time))) return [];
  const { uid, version } = state.account;
  return [SecureContactChanged.create(`account-${uid}`, version + 1, { uid, contact: id, terms: after })];
}

export function removeContact(state: ContactState, id: string): readonly NewEvent[] {
  registered(state, id);
  const { uid, version } = state.account;
  return [SecureContactRemoved.create(`account-${uid}`, version + 1, { uid, contact: id })];
}

function registered({ contact }: ContactState, id: string): SecureContact {
  if (contact?.status !== 'Registered') throw new EntityNotFound('SecureContactEntity', 'id', id);
  return contact;
}
