import {
  type DecideContext,
  type LoadedRows,
  type RecordedEvent,
  RowsWanted,
  type SubjectRef,
} from '../../event-store/index.js';
import { isCompany } from '../../platform/tax-number.js';
import type { Account } from './account.js';
import { limitsPayees } from './limit-terms.js';
import { limitUseOf } from './payout-limit.events.js';
import { counted, type Counter, type PaidTo, type PayeeUse, type PayoutLimits, usedIn } from './payout-limits.js';
import type { Period } from './payout-periods.js';
import type { MovesMoney } from './posting.js';
import { contactKey, type SecureContact } from './secure-contact.js';

/** Whoever a code does not name counts as one payee, with all others that it does not name. */
const UNNAMED = 'unnamed';

/** Uses of the payees of one slot, while their periods last. */
export interface PayeeUses {
  /** `<account>/<slot>` */
  readonly id: string;
  /** By subject. */
  readonly uses: Readonly<Record<string, Counter & Pick<PayeeUse, 'to'>>>;
}

/** A payee, as far as limits are concerned. */
export interface Payee {
  /** Data subject, or `UNNAMED`. */
  readonly subject: string;
  /** Where nobody knows, `Natural`: its periods are the shorter ones. */
  readonly person: 'Natural' | 'Legal';
  readonly to: PaidTo;
  readonly contact?: SecureContact;
  used(period: Pick<Period, 'from'>): bigint;
}

/** A payee by the request. */
export interface AskedPayee {
  /** `''` where nothing tells it. */
  readonly taxNumber: string;
  /** The subject of the tax number. */
  readonly subject: SubjectRef;
  /** Tax number of the account's holder. */
  readonly holder: string;
}

/**
 * Payees of an account are spread over so many rows, by the random end of their subject's id. A row forgets periods
 * that are over when it is written: the table does not grow with payees or days, and no row with an account's history.
 */
const slotKey = (account: string, subject: string) => `${account}/${subject === UNNAMED ? UNNAMED : subject.slice(-3)}`;

export const payeeUseOf = ({ subject }: Payee, { from, to }: Period): PayeeUse => ({
  subject,
  from: from.toISOString(),
  to: to.toISOString(),
});

/**
 * The payee with what limits know of it. Only where the account has contacts, or a limit of one payee, a row is read.
 * @throws RowsWanted for it
 */
export function payeeOf(
  { uid }: Account,
  limits: PayoutLimits,
  { taxNumber, subject: ref, holder }: AskedPayee,
  rows: LoadedRows,
  context: DecideContext,
): Payee {
  const subject = taxNumber === '' ? UNNAMED : context.subject(ref);
  const wanted: Record<string, readonly string[]> = {};
  const read = <Row>(name: string, key: string): Row | undefined => {
    if (!context.isRead(name, key)) wanted[name] = [key];
    return rows.of<Row>(name).get(key);
  };
  const contact =
    limits.contacts && subject !== UNNAMED
      ? read<SecureContact>('secureContacts', contactKey(uid, subject))
      : undefined;
  const uses = limitsPayees(limits.terms) ? read<PayeeUses>('payeeUses', slotKey(uid, subject)) : undefined;
  if (Object.keys(wanted).length > 0) throw new RowsWanted(wanted);
  return {
    subject,
    person: isCompany(taxNumber) ? 'Legal' : 'Natural',
    to: taxNumber !== '' && taxNumber === holder ? 'own' : 'others',
    contact,
    used: (period) => usedIn(uses?.uses[subject], period),
  };
}

/** Rows that a payout was counted in, and is given back to. */
export function rowsOfPayee(account: string, { payee, contact }: { payee?: PayeeUse; contact?: PayeeUse }) {
  return {
    ...(payee && { payeeUses: [slotKey(account, payee.subject)] }),
    ...(contact && { secureContacts: [contactKey(account, contact.subject)] }),
  };
}

export function slotsOf(event: RecordedEvent): readonly string[] {
  const payee = limitUseOf(event)?.payee;
  return payee ? [slotKey((event.data as MovesMoney).postings[0]!.account, payee.subject)] : [];
}

export function evolvePayeeUses(row: PayeeUses | undefined, event: RecordedEvent, id: string): PayeeUses {
  const { amount, payee } = limitUseOf(event)!;
  const { subject, from, to } = payee!;
  const now = event.time.toISOString();
  const uses = Object.fromEntries(Object.entries(row?.uses ?? {}).filter(([, other]) => other.to > now));
  const after = counted(uses[subject], { from, to }, BigInt(amount));
  return { id, uses: after ? { ...uses, [subject]: after } : uses };
}
