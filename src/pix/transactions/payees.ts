import { Injectable } from '@nestjs/common';
import { partySubject } from '../../accounts/index.js';
import { personal, type Personal, SubjectVault } from '../../event-store/index.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import type { Party, Recipient } from '../domain/events/shared.js';
import type { LocatedTransaction } from './pix-transactions.js';

/** The payee of a cash-out, in clear. */
export interface KnownPayee {
  /** `null`: the data were forgotten. */
  readonly recipient: Recipient | null;
  /** The request's details, with DICT's over them. */
  readonly party: Party;
}

/** Payees of cash-outs: opened for the rail, and sealed with the details of DICT or the rail. */
@Injectable()
export class Payees {
  constructor(private readonly vault: SubjectVault) {}

  async of({ transaction, partition }: LocatedTransaction): Promise<KnownPayee> {
    const details = detailsOf<CashOutDetails>(transaction);
    const recipient = await this.vault.open(partition, details.recipient);
    const resolved = details.payee && (await this.vault.open(partition, details.payee));
    const { name, taxNumber, account } = recipient ?? {};
    return { recipient, party: joined({ name, taxNumber, ...account }, resolved ?? {}) };
  }

  /** The payee with the details of DICT or the rail. */
  async with(cashOut: LocatedTransaction, details: Party): Promise<Personal<Party>> {
    const { transaction, partnerUid } = cashOut;
    const party = joined((await this.of(cashOut)).party, details);
    const subject = partySubject(partnerUid, party.taxNumber, transaction.id);
    return personal(subject, party);
  }
}

/** Later details over earlier ones; what a later source does not give stays. */
function joined(earlier: Party, later: Party): Party {
  const given = Object.entries(later).filter(([, value]) => value !== undefined && value !== '');
  return { ...earlier, ...Object.fromEntries(given) };
}
