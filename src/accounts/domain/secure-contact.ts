import type { RecordedEvent, Sealed } from '../../event-store/index.js';
import type { AmountTerms } from './limit-terms.js';
import { limitUseOf } from './payout-limit.events.js';
import { type AmountCounters, countAmounts, NO_AMOUNTS_COUNTED } from './payout-limits.js';
import type { MovesMoney } from './posting.js';
import {
  type ContactPerson,
  SecureContactChanged,
  SecureContactRegistered,
  SecureContactRemoved,
} from './secure-contact.events.js';

/** A payee with limits of its own for an account's payouts to it. */
export interface SecureContact {
  /** `<account>/<subject>` */
  readonly id: string;
  readonly accountUid: string;
  readonly person: Sealed<ContactPerson>;
  readonly terms: AmountTerms;
  /** From then on its limits hold. */
  readonly inForceFrom: Date;
  readonly counters: AmountCounters;
  readonly status: 'Registered' | 'Removed';
  readonly registeredAt: Date;
}

export const MOST_CONTACTS = 100;

export const contactKey = (account: string, subject: string) => `${account}/${subject}`;

export const isInForce = ({ status, inForceFrom }: SecureContact, at: Date) =>
  status === 'Registered' && inForceFrom.getTime() <= at.getTime();

/** Contacts that an event registers, changes or pays. */
export function contactsOf(event: RecordedEvent): readonly string[] {
  if (SecureContactRegistered.is(event)) return [contactKey(event.data.uid, event.data.person.subject)];
  if (SecureContactChanged.is(event) || SecureContactRemoved.is(event)) {
    return [contactKey(event.data.uid, event.data.contact)];
  }
  const contact = limitUseOf(event)?.contact;
  return contact ? [contactKey((event.data as MovesMoney).postings[0]!.account, contact.subject)] : [];
}

/** One that is registered again goes on counting where it was. */
export function evolveContact(row: SecureContact | undefined, event: RecordedEvent, id: string): SecureContact {
  if (SecureContactRegistered.is(event)) {
    const { uid, person, terms, inForceFrom } = event.data;
    return {
      id,
      accountUid: uid,
      person,
      terms,
      inForceFrom: new Date(inForceFrom),
      counters: row?.counters ?? NO_AMOUNTS_COUNTED,
      status: 'Registered',
      registeredAt: event.time,
    };
  }
  if (!row) throw new TypeError(`${event.type} is about contact ${id}, which was never registered`);
  if (SecureContactChanged.is(event)) return { ...row, terms: event.data.terms };
  if (SecureContactRemoved.is(event)) return { ...row, status: 'Removed' };
  const { contact, at, amount } = limitUseOf(event)!;
  return { ...row, counters: countAmounts(row.counters, contact!, new Date(at), BigInt(amount)) };
}
