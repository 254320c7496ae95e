import { Injectable } from '@nestjs/common';
import { Registry } from '../../accounts/index.js';
import { newId } from '../../event-store/index.js';
import { isCompany } from '../../platform/tax-number.js';
import { type Caution, rulesThatFit } from '../domain/caution.js';
import type { ReceivedPayment } from '../rails/pix-rail.js';
import { KnownPayers } from './known-payers.js';
import type { LocatedTransaction } from './pix-transactions.js';

type Paid = Pick<ReceivedPayment, 'amount' | 'at' | 'payer'>;

/** Compares deposits with the rules of cautionary holds. A partner without rules costs no statement. */
@Injectable()
export class Cautions {
  constructor(
    private readonly registry: Registry,
    private readonly payers: KnownPayers,
  ) {}

  /**
   * The first of the partner's rules that applies to a payment, if any.
   * @throws ServiceUnavailable where the rules cannot be read: the payment is told again
   */
  async of(located: LocatedTransaction, { amount, at, payer }: Paid): Promise<Caution | undefined> {
    const { partition, partnerUid, accountUid, transaction } = located;
    if (transaction.state !== 'Registered') return undefined;
    const { cautionaryRules } = await this.registry.partner(partnerUid);
    if (cautionaryRules.length === 0) return undefined;
    const { holder } = await this.registry.facts(accountUid);
    const isOfCompany = isCompany(holder.taxNumber);
    const [first, ...others] = rulesThatFit(cautionaryRules, { amount, at, payerInstitution: payer.ispb, isOfCompany });
    if (!first) return undefined;
    const rule =
      first.payerUnknown && (await this.#knows(located, payer.taxNumber))
        ? others.find(({ payerUnknown }) => !payerUnknown)
        : first;
    return rule && { rule, holdId: newId(partition) };
  }

  async #knows(located: LocatedTransaction, taxNumber: string | undefined): Promise<boolean> {
    return taxNumber !== undefined && taxNumber !== '' && (await this.payers.has(located, taxNumber));
  }
}
