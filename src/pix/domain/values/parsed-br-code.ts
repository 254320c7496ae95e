/** What codes of every kind hold. */
export interface BrCodeCommon {
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly merchantCategory: string;
  readonly postalCode?: string;
  /** Field 01 is `12`. */
  readonly oneTime: boolean;
  /** Centavos. In a dynamic code the amount at the location is the one that counts. */
  readonly amount?: bigint;
  /** Where the recurrence of Pix Automático is fetched (a composed code). */
  readonly recurrenceLocation?: string;
}

export interface ParsedStaticBrCode extends BrCodeCommon {
  readonly kind: 'Static';
  readonly key: string;
  readonly information?: string;
  /** ISPB of the facilitator: the code is one of Pix Saque. */
  readonly withdrawalFacilitator?: string;
  /** Absent for `***`. */
  readonly txid?: string;
}

export interface ParsedDynamicBrCode extends BrCodeCommon {
  readonly kind: 'Dynamic';
  readonly location: string;
}

/** A code of Pix Automático that asks for a recurrence only and has nothing to pay now. */
export interface ParsedRecurrenceBrCode extends BrCodeCommon {
  readonly kind: 'Recurrence';
  readonly recurrenceLocation: string;
}

export type ParsedBrCode = ParsedStaticBrCode | ParsedDynamicBrCode | ParsedRecurrenceBrCode;
