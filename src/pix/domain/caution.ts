import type { CautionaryRule } from '../../accounts/index.js';
import { saoPauloTime } from '../../platform/sao-paulo.js';

/** What the rules of cautionary holds are compared with. */
export interface DepositFacts {
  /** Centavos. */
  readonly amount: bigint;
  /** When the rail settled it. */
  readonly at: Date;
  readonly payerInstitution?: string;
  readonly isOfCompany: boolean;
}

/** A rule that applies to a deposit, and the hold that it asks for. */
export interface Caution {
  readonly rule: CautionaryRule;
  /** Minted for the hold. */
  readonly holdId: string;
}

/**
 * The rules whose conditions hold, but for the one that asks for the payer: that is looked up only where it decides.
 */
export function rulesThatFit(rules: readonly CautionaryRule[], deposit: DepositFacts): readonly CautionaryRule[] {
  return rules.filter(
    ({ amountAbove, payerInstitution, timeOfDay, companies }) =>
      (companies || !deposit.isOfCompany) &&
      (amountAbove === null || deposit.amount > BigInt(amountAbove)) &&
      (payerInstitution === null || payerInstitution === deposit.payerInstitution) &&
      (timeOfDay === null || isWithin(timeOfDay, saoPauloTime(deposit.at))),
  );
}

/** Over midnight where it begins later than it ends; the whole day where both are one time. */
function isWithin({ from, to }: NonNullable<CautionaryRule['timeOfDay']>, time: string): boolean {
  return from < to ? time >= from && time < to : time >= from || time < to;
}
