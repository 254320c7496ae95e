import { PartnerRegistered, taxpayer, transactionParty } from '../../../accounts/index.js';
import type { RecordedEvent, Sealed, SubjectRef } from '../../../event-store/index.js';

/** Members of events that say who somebody is. What the others hold, as descriptions, names nobody. */
const PERSONS: ReadonlySet<string> = new Set(['expectedPayer', 'holder', 'payee', 'payer', 'person', 'recipient']);

/** A sealed value and its event. */
export interface Place {
  readonly sealed: Sealed;
  readonly member: string;
  readonly event: RecordedEvent;
}

interface Told {
  readonly id?: string;
  readonly uid?: string;
  readonly partnerUid?: string;
  readonly payment?: { readonly endToEndId: string };
}

/** Whether a member's value, once it is opened, names its data subject. */
export function namesItsSubject(member: string): boolean {
  return PERSONS.has(member);
}

/** The partner whose event it is; else the account or the transaction whose row says so. */
export function ownerIn(event: RecordedEvent): { readonly partner?: string; readonly of?: string } {
  const { partnerUid, uid, id } = event.data as Told;
  return { partner: partnerUid ?? (PartnerRegistered.is(event) ? uid : undefined), of: uid ?? id };
}

/**
 * The data subject that a value in clear names.
 * @param value of a member for which `namesItsSubject` holds
 * @param partner `undefined` where no row says whose event it is: then a tax number names nobody
 */
export function subjectNamedBy(
  { data }: RecordedEvent,
  value: unknown,
  partner: string | undefined,
): SubjectRef | undefined {
  const { id, payment } = data as Told;
  // A payment for no transaction is of no partner, whoever paid.
  if (id === undefined && payment) return transactionParty(payment.endToEndId);
  const { taxNumber } = value as { readonly taxNumber?: string };
  if (taxNumber) return partner === undefined ? undefined : taxpayer(partner, taxNumber);
  return id === undefined ? undefined : transactionParty(id);
}

/** Personal values are top-level members of an event's data. */
export function sealedIn(event: RecordedEvent): Place[] {
  const data = event.data as Readonly<Record<string, unknown>>;
  const members = Object.keys(data).filter((member) => isSealed(data[member]));
  return members.map((member) => ({ sealed: data[member] as Sealed, member, event }));
}

function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && 'sealed' in value && 'subject' in value;
}
