import { defineEvent, type Personal } from '../../event-store/index.js';
import type { AmountTerms } from './limit-terms.js';

export interface ContactPerson {
  readonly name: string;
  /** CPF or CNPJ, normalised. */
  readonly taxNumber: string;
}

export const SecureContactRegistered = defineEvent<{
  /** The account. */
  uid: string;
  /** Its data subject identifies the contact. */
  person: Personal<ContactPerson>;
  /** Centavos in decimal text. */
  terms: AmountTerms;
  /** ISO 8601. */
  inForceFrom: string;
}>()(
  'SecureContactRegistered',
  'The operator registered a payee of an account, with limits of its own from a moment on.',
);

export const SecureContactChanged = defineEvent<{
  uid: string;
  /** Data subject. */
  contact: string;
  /** All of its limits as they are from now on, and what is to be raised, from when. */
  terms: AmountTerms;
}>()('SecureContactChanged', 'The operator changed the limits of a secure contact.');

export const SecureContactRemoved = defineEvent<{
  uid: string;
  /** Data subject. */
  contact: string;
}>()('SecureContactRemoved', "A payee has no limits of its own any more: those of the account's payouts hold for it.");
