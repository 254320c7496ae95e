import type { RailPage } from './pix-rail.js';

/** Injects the rail's side of the special return mechanism (MED): `@Inject(INFRACTION_RAIL) rail: InfractionRail`. */
export const INFRACTION_RAIL = Symbol('infraction rail');

/** What a payer says was done to him: `SituationType` of the DICT. */
export const FRAUD_REASONS = ['Scam', 'AccountTakeover', 'Coercion', 'FraudulentAccess', 'Other'] as const;
export type FraudReason = (typeof FRAUD_REASONS)[number];

/**
 * The rail's view of a report.
 * - `Open`: to be analysed.
 * - `Agreed`, `Rejected`: analysed. Only where the rail decides does this change anything here.
 * - `Cancelled`: the payer's institution took it back.
 */
export type InfractionState = 'Open' | 'Agreed' | 'Rejected' | 'Cancelled';

/** The payer's institution reports a payment that came in as fraud. */
export interface ReportedInfraction {
  /** The rail's: one report. */
  readonly railId: string;
  /** Of the payment that came in. */
  readonly endToEndId: string;
  /** Centavos that are asked back: at most the payment's amount. */
  readonly amount: bigint;
  readonly reason: FraudReason;
  /** The payer's words: personal. */
  readonly details?: string;
  readonly state: InfractionState;
  readonly reportedAt: Date;
  /** By when the rail wants the analysis, where it says so. */
  readonly decideUntil?: Date;
}

/** What the institution that received the payment decided. */
export interface InfractionDecision {
  readonly result: 'Agreed' | 'Rejected';
  /** Centavos that go back, of those that were asked for. */
  readonly amount?: bigint;
}

/** A recovery of money that we sent. It is fixed before the first call. */
export interface RecoveryInstruction {
  /** Ours, stored before the first call: the rail opens one recovery for it. */
  readonly recoveryId: string;
  /** Of our payout. */
  readonly endToEndId: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly reason: FraudReason;
  readonly details: string;
}

/**
 * The state of a recovery at the rail. `Accepted`: the payee's institution agreed; the money comes as a return of its
 * own. `Unknown`: the rail does not have it; the same instruction may be sent again.
 */
export type RecoveryOutcome =
  | { readonly status: 'Accepted'; readonly amount: bigint }
  | { readonly status: 'Refused'; readonly code: string }
  | { readonly status: 'Pending' | 'Unknown' };

/** How rails differ. What a rail cannot do is refused before anything is promised. */
export interface InfractionCapabilities {
  /** It reports infractions. */
  readonly receives: boolean;
  /** Who analyses a report: this institution, or the rail, which then takes a defence only. */
  readonly decidedBy: 'Institution' | 'Rail';
  /** It opens recoveries of payouts. */
  readonly recovers: boolean;
}

/** A return that a rail which decides has made by itself, out of the account that it keeps. */
export interface OwnReturn {
  readonly returnId: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly at: Date;
  /** It may still succeed, or fail. */
  readonly isUnderWay?: true;
}

/**
 * The port to the DICT's reports of infractions and recoveries of funds, as far as the rail has them. Every call may be
 * repeated. All may throw `RailUnavailable`.
 */
export interface InfractionRail {
  readonly name: string;
  /** As that of `PixRail`. */
  readonly psp?: string;
  readonly capabilities: InfractionCapabilities;
  /** Reports that changed from `from` (inclusive) to `to` (exclusive), by the rail's time. */
  infractionsBetween(from: Date, to: Date, cursor: string | null): Promise<RailPage<ReportedInfraction>>;
  /** Sends the account holder's defence, to rails that decide. */
  sendDefence(railId: string, text: string): Promise<void>;
  /** Ends the analysis, at rails that do not decide. */
  close(railId: string, decision: InfractionDecision): Promise<void>;
  requestRecovery(instruction: RecoveryInstruction): Promise<RecoveryOutcome>;
  queryRecovery(recoveryId: string): Promise<RecoveryOutcome>;
  /**
   * Returns that the rail made of a payment that came in, refunds of ours perhaps among them; for rails that decide.
   */
  ownReturns?(endToEndId: string): Promise<readonly OwnReturn[]>;
}

/** What the rail tells of the MED. Each may come again, late or out of order. */
export interface InfractionNotifications {
  infractionChanged(infraction: ReportedInfraction): Promise<void>;
  recoveryChanged(recoveryId: string, outcome: RecoveryOutcome): Promise<void>;
}
