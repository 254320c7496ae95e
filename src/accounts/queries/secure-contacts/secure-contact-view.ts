import { ApiProperty } from '@nestjs/swagger';
import { type Json, UUID } from '../../../platform/http/index.js';
import { isCompany } from '../../../platform/tax-number.js';
import type { PayoutLimits } from '../../domain/payout-limits.js';
import { calendarDayOf, monthOf } from '../../domain/payout-periods.js';
import type { SecureContact } from '../../domain/secure-contact.js';
import type { ContactPerson } from '../../domain/secure-contact.events.js';
import { AmountLimitView, PaymentLimitView, showTerm, showTotal } from '../payout-limits/limit-view.js';
import { AMOUNT_LIMITS_EXAMPLE, dayAndNight } from '../payout-limits/payout-limits-view.js';

export class ContactLimitsView {
  readonly payment: PaymentLimitView;
  readonly day: AmountLimitView;
  /** Null of a legal person, whose day is a whole calendar day */
  readonly night: AmountLimitView | null;
  readonly month: AmountLimitView;
}

/** A payee with limits of its own, which hold instead of the account's. */
export class SecureContactView {
  @ApiProperty(UUID) readonly id: string;
  /** Empty where the person was forgotten, as the tax number: no payout is to this contact any more */
  readonly name: string;
  readonly taxNumber: string;
  /** From then on its limits hold; until then the account's do */
  readonly inForceFrom: Date;
  readonly registeredAt: Date;
  readonly limits: ContactLimitsView;
}

export function showContact(
  contact: SecureContact,
  person: ContactPerson | null,
  limits: PayoutLimits | null,
  at: Date,
): SecureContactView {
  const { terms, counters, inForceFrom, registeredAt } = contact;
  const isLegal = person !== null && isCompany(person.taxNumber);
  const { day, night } = dayAndNight(limits, at);
  return {
    id: contact.person.subject,
    name: person?.name ?? '',
    taxNumber: person?.taxNumber ?? '',
    inForceFrom,
    registeredAt,
    limits: {
      payment: showTerm(terms.payment, at),
      day: showTotal(terms.day, counters.dayOrNight, isLegal ? calendarDayOf(at) : day, at),
      night: isLegal ? null : showTotal(terms.night, counters.dayOrNight, night, at),
      month: showTotal(terms.month, counters.month, monthOf(at), at),
    },
  };
}

export const CONTACT_EXAMPLE: Json<SecureContactView> = {
  id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  name: 'Maria Silva',
  taxNumber: '52998224725',
  inForceFrom: '2026-11-20T14:04:05.123Z',
  registeredAt: '2026-11-19T14:04:05.123Z',
  limits: AMOUNT_LIMITS_EXAMPLE,
};
