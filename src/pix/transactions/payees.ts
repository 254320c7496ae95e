import { Injectable } from '@nestjs/common';
import { personal, type Personal, SubjectVault, taxpayer, transactionParty } from '../../event-store/index.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import type { Party, Recipient } from '../domain/events/shared.js';
import type { LocatedTransaction } from './pix-transactions.js';

/** What is known in clear of whom a cash-out pays. */
export interface KnownPayee {
  /** `null`: the data were forgotten. */
  readonly recipient: Recipient | null;
  /** What the request said, and over it what DICT said. */
  readonly party: Party;
}

/** Whom cash-outs pay: opened for the rail, and sealed again with what DICT or the rail say of them. */
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

  /** What is known of them, and over it what `told` says. */
  async with(cashOut: LocatedTransaction, told: Party): Promise<Personal<Party>> {
    const { transaction, partnerUid } = cashOut;
    const party = joined((await this.of(cashOut)).party, told);
    const subject = party.taxNumber ? taxpayer(partnerUid, party.taxNumber) : transactionParty(transaction.id);
    return personal(subject, party);
  }
}

/** Later knowledge over earlier; what a later source does not tell stays. */
function joined(earlier: Party, later: Party): Party {
  const told = Object.entries(later).filter(([, value]) => value !== undefined && value !== '');
  return { ...earlier, ...Object.fromEntries(told) };
}
