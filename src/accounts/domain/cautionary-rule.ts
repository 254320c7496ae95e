/** Most rules of one partner: each of its deposits is compared with all of them. */
export const MAX_CAUTIONARY_RULES = 50;

/** Regulamento do Pix (annex of Resolução BCB 1/2020), art. 39-B, by Resolução BCB 147/2021: at most 72 hours. */
export const MAX_CAUTIONARY_HOURS = 72;

/**
 * When deposits of a partner's accounts arrive as blocked (docs/holds.md). All conditions that it has must hold.
 * Amounts are centavos in decimal text.
 */
export interface CautionaryRule {
  readonly id: string;
  readonly name: string;
  readonly amountAbove: string | null;
  /** The payer has not paid to the account before. */
  readonly payerUnknown: boolean;
  /** ISPB of the payer's institution. */
  readonly payerInstitution: string | null;
  /** Times of day in São Paulo, `22:00`: from the first one until before the second, over midnight too. */
  readonly timeOfDay: { readonly from: string; readonly to: string } | null;
  /** Also for accounts of companies; else of natural persons alone. */
  readonly companies: boolean;
  /** How long the money is blocked at most. */
  readonly hours: number;
}
